package stripe

import "parity/fakes"

// Mint makes a secret key of test mode.
func (f *Fake) Mint(draw func(int) string) string {
	return "sk_test_" + fakes.MintedMark + draw(18)
}

var _ fakes.Minter = (*Fake)(nil)
