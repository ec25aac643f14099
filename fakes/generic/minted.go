package generic

import "parity/fakes"

// Mint makes what the first scheme of the contract asks for: a user and a password
// of Basic (RFC 7617), which a client encodes, else a token.
func (f *Fake) Mint(draw func(int) string) string {
	if len(f.schemes) > 0 && f.schemes[0].Type == "http" && f.schemes[0].Scheme == "basic" {
		return fakes.MintedMark + ":" + draw(24)
	}
	return fakes.MintedMark + "_" + draw(32)
}

var _ fakes.Minter = (*Fake)(nil)
