package googlecalendar

import "parity/fakes"

// Mint makes an access token.
func (f *Fake) Mint(draw func(int) string) string {
	return accessPrefix + fakes.MintedMark + draw(60)
}

var _ fakes.Minter = (*Fake)(nil)
