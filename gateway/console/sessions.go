package console

import (
	"crypto/rand"
	"crypto/sha256"
	"sync"
	"time"

	"parity/fakes/clock"
)

const (
	codeLasts  = time.Minute    // a browser opens in less
	tokenLasts = 12 * time.Hour // a working day; a tab that is closed ends it before
	// most bounds what is kept of each: the oldest goes first.
	most = 1000
)

// A Holder is who opened a console.
type Holder struct {
	Name string // "": nobody said
	// Proof is the digest of the person's own token; "" where the name is what
	// somebody said.
	Proof string
}

// Sessions are the consoles that are open. They are of this process alone: with the
// gateway they end. Tokens and codes are kept as digests. Safe for concurrent use.
type Sessions struct {
	wall clock.Wall

	mu     sync.Mutex
	codes  map[[sha256.Size]byte]session
	tokens map[[sha256.Size]byte]session
}

// session is one code or token.
type session struct {
	by    Holder
	until time.Time
}

// NewSessions has none yet.
func NewSessions(wall clock.Wall) *Sessions {
	return &Sessions{wall: wall, codes: map[[sha256.Size]byte]session{}, tokens: map[[sha256.Size]byte]session{}}
}

// Code draws a code that opens a console once, until an instant.
func (s *Sessions) Code(by Holder) (code string, until time.Time) {
	return s.draw(s.codes, by, codeLasts)
}

// Open changes a code for a token. It is false where there is no such code: it was
// used, or too late, or never was.
func (s *Sessions) Open(code string) (token string, until time.Time, by Holder, ok bool) {
	key := sha256.Sum256([]byte(code))
	s.mu.Lock()
	found, ok := s.codes[key]
	delete(s.codes, key)
	s.mu.Unlock()
	if !ok || !s.wall.Now().Before(found.until) {
		return "", time.Time{}, Holder{}, false
	}
	token, until = s.draw(s.tokens, found.by, tokenLasts)
	return token, until, found.by, true
}

// Holder gives who opened the console that a token belongs to. It is looked up by
// digest, so that time tells nothing of tokens.
func (s *Sessions) Holder(token string) (by Holder, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.tokens[sha256.Sum256([]byte(token))]
	return found.by, ok && s.wall.Now().Before(found.until)
}

func (s *Sessions) draw(of map[[sha256.Size]byte]session, by Holder, lasts time.Duration) (drawn string, until time.Time) {
	drawn, until = rand.Text(), s.wall.Now().Add(lasts).UTC()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep(of)
	of[sha256.Sum256([]byte(drawn))] = session{by: by, until: until}
	return drawn, until
}

// sweep takes out what is over, and the oldest where there are too many.
func (s *Sessions) sweep(of map[[sha256.Size]byte]session) {
	now := s.wall.Now()
	var oldest [sha256.Size]byte
	first := time.Time{}
	for key, one := range of {
		if !now.Before(one.until) {
			delete(of, key)
		} else if first.IsZero() || one.until.Before(first) {
			oldest, first = key, one.until
		}
	}
	if len(of) >= most {
		delete(of, oldest)
	}
}
