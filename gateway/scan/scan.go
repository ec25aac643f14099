// Package scan looks for secrets in anything that was written: real-looking
// credentials, and values that it is told, as they are and as they are often
// encoded. It says where each begins, and never what it is.
//
//	values ─▶ as it is · JSON · base64 · hexadecimal · percent ─┐ needles, all found in one pass
//	                                                            ▼
//	reader ─▶ 256 KiB, and what a secret may go on into ─▶ at · kind · as
//	                                                            ▲
//	runs of base64, of digits, of %XX ─▶ decoded ─▶ secret.Real ┘
package scan

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"slices"

	"parity/specs/secret"
)

// A Secret is a value that is looked for, and what it is in words: the value of
// STRIPE_KEY.
type Secret struct{ Kind, Value string }

// Shortest is how many characters a value has at least that is looked for: a
// shorter one may be any word.
const Shortest = 8

// A Finding says where a secret begins, what it is, and how it is encoded.
type Finding struct {
	At   int64 // bytes from the beginning
	Kind string
	As   string // base64, hexadecimal, percent-encoded or JSON; "": as it is
}

// A Scanner looks for some secrets. It is safe for concurrent use.
type Scanner struct {
	needles needles
	issuers []string
}

// New makes a scanner for values, and for credentials that look real: web tokens
// do if one of the issuers has made them. Values under Shortest are left out.
func New(secrets []Secret, issuers ...string) *Scanner {
	s := &Scanner{issuers: issuers}
	for _, one := range secrets {
		if len(one.Value) >= Shortest {
			s.needles.add(one)
		}
	}
	return s
}

// Bounds of a stream: how much of it is looked at in one go, how far what begins
// there may go on, and how much of what came before is looked at beside it.
const (
	stretch = 256 << 10
	beyond  = 16 << 10
	before  = 16
)

// Stream looks through a reader to its end, holding a bounded part of it. It gives
// how many bytes there were.
func (s *Scanner) Stream(r io.Reader, found func(Finding)) (size int64, err error) {
	buffer := make([]byte, 0, before+stretch+beyond)
	from, base := 0, int64(0)
	for {
		n, err := io.ReadFull(r, buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !ended {
			return base + int64(len(buffer)), err
		}
		to := len(buffer)
		if !ended {
			to -= beyond
		}
		s.look(buffer, from, to, base, found)
		if ended {
			return base + int64(len(buffer)), nil
		}
		left := to - before
		buffer = buffer[:copy(buffer, buffer[left:])]
		from, base = before, base+int64(left)
	}
}

// Bytes looks through what is there as a whole.
func (s *Scanner) Bytes(data []byte, found func(Finding)) { s.look(data, 0, len(data), 0, found) }

// A look is at one stretch of data: what begins from a place up to another is
// told, once.
type look struct {
	*Scanner
	data     []byte
	from, to int
	base     int64
	found    func(Finding)
	told     map[Finding]bool

	plain, out []byte // room
}

func (s *Scanner) look(data []byte, from, to int, base int64, found func(Finding)) {
	l := look{Scanner: s, data: data, from: from, to: to, base: base, found: found}
	s.needles.each(data, from, to, func(at int, n *needle) { l.tell(at, n.kind, n.as) })
	l.real(data, func(at int) int { return at }, "")
	l.runs(base64Run, shortestReal*8/6, l.base64)
	l.runs(hexRun, shortestReal*2, l.hexadecimal)
	l.percent()
}

// tell tells of what begins in the stretch, once.
func (l *look) tell(at int, kind, as string) {
	if at < l.from || at >= l.to {
		return
	}
	f := Finding{At: l.base + int64(at), Kind: kind, As: as}
	if l.told[Finding{At: f.At, Kind: kind}] || l.told[f] {
		return
	}
	if l.told == nil {
		l.told = map[Finding]bool{}
	}
	l.told[f] = true
	l.found(f)
}

// real tells of the credentials in a text that look real; at says where in the
// data a byte of it comes from.
func (l *look) real(text []byte, at func(int) int, as string) {
	for from := 0; ; {
		f, ok := secret.Real(text, from, l.issuers...)
		if !ok {
			return
		}
		l.tell(at(f.From), f.Kind, as)
		from = f.To
	}
}

// The shortest credential that is told by its form has twenty characters.
const shortestReal = 20

// runs gives the runs of some bytes that begin in the stretch, and are long enough
// for a credential.
func (l *look) runs(of *[256]bool, least int, give func(at int, run []byte)) {
	for i := 0; i < l.to; {
		if !of[l.data[i]] {
			i++
			continue
		}
		end := i + 1
		for end < len(l.data) && of[l.data[end]] {
			end++
		}
		if end-i >= least && end > l.from {
			give(i, l.data[i:end])
		}
		i = end
	}
}

var base64Run = bytesOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")

var hexRun = bytesOf("0123456789abcdefABCDEF")

func bytesOf(all string) *[256]bool {
	var of [256]bool
	for i := range len(all) {
		of[all[i]] = true
	}
	return &of
}

// base64 looks through a run as base64 of both alphabets, beginning at each of
// four places: what comes before may be of another word.
func (l *look) base64(at int, run []byte) {
	plain := append(l.plain[:0], run...)
	for i, b := range plain {
		switch b {
		case '-':
			plain[i] = '+'
		case '_':
			plain[i] = '/'
		}
	}
	out := slices.Grow(l.out[:0], len(plain))[:len(plain)]
	l.plain, l.out = plain, out
	for skip := range min(4, len(plain)) {
		text := plain[skip:]
		if len(text)%4 == 1 {
			text = text[:len(text)-1]
		}
		n, err := base64.RawStdEncoding.Decode(out, text)
		if err != nil {
			continue
		}
		l.real(out[:n], func(i int) int { return at + skip + i/3*4 + i%3 }, "base64")
	}
}

func (l *look) hexadecimal(at int, run []byte) {
	out := slices.Grow(l.out[:0], len(run))[:len(run)]
	l.out = out
	for skip := range 2 {
		text := run[skip:]
		if n, err := hex.Decode(out, text[:len(text)/2*2]); err == nil {
			l.real(out[:n], func(i int) int { return at + skip + 2*i }, "hexadecimal")
		}
	}
}

// percent looks through the data with its %XX undone.
func (l *look) percent() {
	var plain []byte
	var places []int32
	last := 0
	for i := 0; i+2 < len(l.data); i++ {
		if l.data[i] != '%' || !hexRun[l.data[i+1]] || !hexRun[l.data[i+2]] {
			continue
		}
		for ; last < i; last++ {
			plain, places = append(plain, l.data[last]), append(places, int32(last))
		}
		b, _ := hex.DecodeString(string(l.data[i+1 : i+3])) // both are digits
		plain, places = append(plain, b[0]), append(places, int32(i))
		i += 2
		last = i + 1
	}
	if plain == nil {
		return
	}
	for ; last < len(l.data); last++ {
		plain, places = append(plain, l.data[last]), append(places, int32(last))
	}
	l.real(plain, func(i int) int { return int(places[i]) }, "percent-encoded")
}
