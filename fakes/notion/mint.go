package notion

import "parity/fakes"

// Mint makes the secret of an internal integration.
func (f *Fake) Mint(draw func(int) string) string {
	return "ntn_" + fakes.MintedMark + draw(40)
}

var _ fakes.Minter = (*Fake)(nil)
