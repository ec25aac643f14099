package zendesk

import "parity/fakes"

// Mint makes an access token, which is shown as Bearer: with an API token it is the
// email beside it that says who calls.
func (f *Fake) Mint(draw func(int) string) string {
	return fakes.MintedMark + draw(58)
}

var _ fakes.Minter = (*Fake)(nil)
