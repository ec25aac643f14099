package github

import (
	_ "embed" // The compiler asks for it beside go:embed.

	"parity/fakes"
)

//go:embed usual.yaml
var usual string

// Usual says how records of GitHub usually look.
func (f *Fake) Usual() string { return usual }

var _ fakes.Describer = (*Fake)(nil)
