// Package chance is the one owner of randomness in fakes and faults: draws
// that are keyed, not consumed.
//
//	(seed, "ambiguous-success", "lose-a-big-refund", intent, "2")
//	              │ sha256, each part with its length
//	              ▼
//	   0.4183…  or  "3Nx0fWbq"        the same for ever
//
// There is no state and no next value: what a draw gives depends on its seed
// and its parts alone. So other traffic cannot change it, a fork draws what
// its parent would have drawn, and a replay draws it again. Whoever wants
// another value names another occurrence in the parts.
//
// What the functions give is kept across versions, since journals and reports
// rest on it; a golden test holds it.
package chance

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// A Seed is a run's seed, or one made from it by With.
type Seed uint64

// With gives the seed of a part of a run, such as a new epoch, whose draws have
// nothing to do with those of the whole.
func (s Seed) With(parts ...string) Seed {
	d := digest("with", s, parts)
	return Seed(binary.BigEndian.Uint64(d[:]))
}

// Draw gives a number that is evenly spread over [0, 1), with 53 random bits.
// So `Draw(...) < 0.3` happens with a chance of 30%, `< 0` never, `< 1` always.
func Draw(s Seed, parts ...string) float64 {
	d := digest("draw", s, parts)
	return float64(binary.BigEndian.Uint64(d[:])>>11) / (1 << 53)
}

// Pick gives a number that is evenly spread over 0 to n-1, such as a place in
// a list of n. It panics when n is not positive.
func Pick(s Seed, n int, parts ...string) int {
	if n <= 0 {
		panic("chance.Pick: there is nothing to pick from")
	}
	d := digest("pick", s, parts)
	// The remainder favours low numbers by less than n in 2^63, far below
	// what anybody can see.
	return int(binary.BigEndian.Uint64(d[:]) >> 1 % uint64(n))
}

// base62 is the alphabet of providers' ids, such as Stripe's.
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// ID gives n characters of 0-9, A-Z and a-z, all equally likely: 5.95 bits
// each. It is empty when n is not positive.
func ID(s Seed, n int, parts ...string) string {
	id := make([]byte, 0, 64) // on the stack, unless it is long
	block := digest("id", s, parts)
	for {
		for _, b := range block {
			if len(id) >= n {
				return string(id)
			}
			// Six bits are up to 63: 62 and 63 are left out, or the first
			// letters would come twice as often.
			if six := b & 63; six < 62 {
				id = append(id, base62[six])
			}
		}
		block = sha256.Sum256(block[:])
	}
}

// Hash gives 64 hex digits that stand for the parts, without a seed: equal for
// equal parts in every run, such as a profile's content or what a call means.
func Hash(parts ...string) string {
	return Short(2*sha256.Size, parts...)
}

// Short gives the first n digits of Hash, 64 at most.
func Short(n int, parts ...string) string {
	var digits [2 * sha256.Size]byte
	d := digest("hash", 0, parts)
	hex.Encode(digits[:], d[:])
	return string(digits[:n])
}

// digest hashes a use, a seed and parts. Each text has its length before it,
// so that ("ab", "c") is not ("a", "bc"); the use keeps a draw from telling an
// id of the same parts.
func digest(use string, s Seed, parts []string) [sha256.Size]byte {
	buf := make([]byte, 0, 512) // on the stack, unless parts are long
	buf = binary.BigEndian.AppendUint64(buf, uint64(s))
	buf = appendText(buf, use)
	for _, part := range parts {
		buf = appendText(buf, part)
	}
	return sha256.Sum256(buf)
}

func appendText(buf []byte, text string) []byte {
	buf = binary.BigEndian.AppendUint64(buf, uint64(len(text)))
	return append(buf, text...)
}
