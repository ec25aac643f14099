package hubspot

import "parity/fakes"

// Mint makes the token of a private app, which has a UUID after its region; this
// one has none.
func (f *Fake) Mint(draw func(int) string) string {
	return "pat-na1-" + fakes.MintedMark + draw(2) + "-" + draw(4) + "-" + draw(4) + "-" + draw(4) + "-" + draw(12)
}

var _ fakes.Minter = (*Fake)(nil)
