package sendgrid

import "parity/fakes"

// Mint makes an API key: its id and its secret.
func (f *Fake) Mint(draw func(int) string) string {
	return "SG." + fakes.MintedMark + draw(16) + "." + draw(43)
}

var _ fakes.Minter = (*Fake)(nil)
