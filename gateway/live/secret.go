package live

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"parity/specs/secret"
)

// hidden is what a Secret prints as.
const hidden = "[secret]"

// shortest is the length below which nothing is taken for a credential: what is
// shorter could not be taken out of replies without harm.
const shortest = 8

// A Secret is a credential of a real service. It prints as [secret], is never
// marshalled, and is reached by what puts it into a request alone. It holds
// functions, since fmt prints fields that nobody exports as they are.
type Secret struct {
	reveal func() string
	shapes func() []string // the ways in which it may come back, the longest first
}

// Errors of credentials, which name where one should be and never what is there.
var (
	ErrUnset   = errors.New("is not set")
	ErrExposed = errors.New("can be read by others: chmod 600")
	ErrNoKey   = errors.New("is no credential: it has fewer than 8 characters, or more than one line")
	ErrAccount = errors.New("is of another account than the profile says")
)

// NewSecret holds a credential.
func NewSecret(text string) (Secret, error) {
	text = strings.TrimSpace(text)
	if len(text) < shortest || strings.ContainsAny(text, "\r\n\x00") {
		return Secret{}, ErrNoKey
	}
	shapes := shapesOf(text)
	return Secret{func() string { return text }, func() []string { return shapes }}, nil
}

// FromVariable holds what a variable has.
func FromVariable(name string, getenv func(string) string) (Secret, error) {
	text := getenv(name)
	if text == "" {
		return Secret{}, fmt.Errorf("%s %w", name, ErrUnset)
	}
	s, err := NewSecret(text)
	if err != nil {
		return Secret{}, fmt.Errorf("what %s has %w", name, err)
	}
	return s, nil
}

// mostKey bounds a file that holds a credential.
const mostKey = 16 << 10

// FromFile holds what a file has that nobody but its owner may read.
func FromFile(path string) (Secret, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Secret{}, fmt.Errorf("%s: there is no such file", path)
	case err != nil:
		return Secret{}, fmt.Errorf("%s: it cannot be looked at", path)
	case !info.Mode().IsRegular() || info.Size() > mostKey:
		return Secret{}, fmt.Errorf("what %s has %w", path, ErrNoKey)
	case info.Mode().Perm()&0o077 != 0:
		return Secret{}, fmt.Errorf("%s %w", path, ErrExposed)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return Secret{}, fmt.Errorf("%s: it cannot be read", path)
	}
	s, err := NewSecret(string(data))
	if err != nil {
		return Secret{}, fmt.Errorf("what %s has %w", path, err)
	}
	return s, nil
}

// Of refuses a credential that looks as if it were of another account: a test key
// where the profile says live, a live key where it says test. The first word of it
// that says so counts; one that says nothing is taken for live where it looks as a
// vendor's real ones do.
func (s Secret) Of(account string) error {
	text, is := s.text(), ""
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(c rune) bool { return !('a' <= c && c <= 'z' || '0' <= c && c <= '9') }) {
		switch word {
		case "test", "sandbox", "sbox", "sdbx":
			is = "test"
		case "live", "prod", "production":
			is = "live"
		}
		if is != "" {
			break
		}
	}
	if is == "" && secret.Live(text) != "" {
		is = "live"
	}
	if is != "" && account != "" && is != account {
		return ErrAccount
	}
	return nil
}

func (s Secret) text() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// Set tells whether there is one.
func (s Secret) Set() bool { return s.reveal != nil }

// String is what it prints as.
func (Secret) String() string { return hidden }

// GoString is what it prints as with %#v.
func (Secret) GoString() string { return hidden }

// LogValue is what a log has of it.
func (Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText refuses to write it anywhere.
func (Secret) MarshalText() ([]byte, error) {
	return nil, errors.New("a credential is not written anywhere")
}

// pair is a credential as Basic has it: with a colon, as its name where it has
// none.
func pair(text string) string {
	if strings.Contains(text, ":") {
		return text
	}
	return text + ":"
}
