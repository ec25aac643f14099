package github

import "parity/fakes"

// Mint makes a classic token. Its last six are its checksum in a real one, which is
// never above 4gfFC3: no token ends like this.
func (f *Fake) Mint(draw func(int) string) string {
	return "ghp_" + draw(30) + fakes.MintedMark
}

var _ fakes.Minter = (*Fake)(nil)
