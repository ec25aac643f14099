package slack

import "parity/fakes"

// Introduction shows a bot's token of the form that Slack's have, which nobody was given.
func (f *Fake) Introduction() string { return "Bearer xoxb-1-fidelity" }

var _ fakes.Introducer = (*Fake)(nil)
