package slack

import "parity/fakes"

// Mint makes a bot's token: two numbers and a code.
func (f *Fake) Mint(draw func(int) string) string {
	return "xoxb-200000000000-200000000001-" + fakes.MintedMark + draw(18)
}

var _ fakes.Minter = (*Fake)(nil)
