// Package people keeps the tokens of those who decide: whoever shows one is known by
// its name.
//
//	parity token new --operator ada ─► operators:  ada 9f2c…(SHA-256) 2026-03-02T13:00:00Z
//	      └─► the token, printed once                 ▲
//	                                                  │ read at each call that shows one
//	control port ── Authorization: Bearer … ── Who ───┘
//
// The file is beside the runs, for its owner alone, and has no token in it: who reads
// it can show none. It is read anew each time, so that a name that is taken out is
// out at once, with no gateway started again.
package people

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"
)

// FileName is what the file is called in the folder of runs.
const FileName = "operators"

const (
	// longestName bounds a name, most how many there are.
	longestName = 64
	most        = 1000
	// prefix says what a token is for, to whoever finds one.
	prefix = "parity-operator-"
)

// A Person is a name that is proved by a token.
type Person struct {
	Name   string
	Digest string // of the token, SHA-256 in hexadecimal
	Made   time.Time
}

// List gives the persons of a file, by the order in which they were added. Where
// there is no file there are none.
func List(file string) ([]Person, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := closed(f); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil {
		return nil, err
	}
	var all []Person
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		one, err := read(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w; take the line out, and make that token anew", file, n, err)
		}
		all = append(all, one)
	}
	return all, lines.Err()
}

// closed tells whether a file is for its owner alone. Windows has no such modes.
func closed(f *os.File) error {
	info, err := f.Stat()
	if err != nil || runtime.GOOS == "windows" {
		return err
	}
	if perm := info.Mode().Perm(); perm&0o077 != 0 {
		return fmt.Errorf("%s can be read or written by others (mode %04o): chmod 600 %s", f.Name(), perm, f.Name())
	}
	return nil
}

func read(line string) (Person, error) {
	parts := strings.Fields(line)
	if len(parts) != 3 {
		return Person{}, errors.New("a name, a digest and a time were wanted")
	}
	made, err := time.Parse(time.RFC3339, parts[2])
	if digest, derr := hex.DecodeString(parts[1]); err == nil && (derr != nil || len(digest) != sha256.Size) {
		err = errors.New("this is no digest")
	}
	if err == nil {
		err = checkName(parts[0])
	}
	return Person{Name: parts[0], Digest: strings.ToLower(parts[1]), Made: made}, err
}

func checkName(name string) error {
	odd := strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._@+-", r)
	})
	if name == "" || len(name) > longestName || odd || name[0] == '-' {
		return fmt.Errorf("%q: write letters, digits and any of . _ @ + -, %d at most, such as ada", name, longestName)
	}
	return nil
}

// Who gives the person whose token is shown. Every digest is compared, each in
// constant time.
func Who(file, token string) (Person, bool, error) {
	all, err := List(file)
	got := sha256.Sum256([]byte(token))
	want := hex.EncodeToString(got[:])
	var found Person
	ok := false
	for _, one := range all {
		if subtle.ConstantTimeCompare([]byte(one.Digest), []byte(want)) == 1 {
			found, ok = one, true
		}
	}
	return found, ok, err
}

// Still tells whether a name has a token, and the digest of it.
func Still(file, name string) (digest string, ok bool) {
	all, err := List(file)
	for _, one := range all {
		if err == nil && one.Name == name {
			return one.Digest, true
		}
	}
	return "", false
}

// ErrName is the error of Add and Remove where it is the name that will not do.
var ErrName = errors.New("this name will not do")

// Add makes a token for somebody, and gives it: it is kept nowhere. A name that has
// one gets no second.
func Add(file, name string, now time.Time) (token string, err error) {
	if err := checkName(name); err != nil {
		return "", fmt.Errorf("%w: %w", ErrName, err)
	}
	token = prefix + strings.ToLower(rand.Text())
	digest := sha256.Sum256([]byte(token))
	return token, change(file, func(all []Person) ([]Person, error) {
		for _, one := range all {
			if strings.EqualFold(one.Name, name) {
				return nil, fmt.Errorf("%w: %s has a token; where it is lost, `parity token remove %s` first", ErrName, one.Name, one.Name)
			}
		}
		if len(all) >= most {
			return nil, fmt.Errorf("%w: there are %d tokens already; remove some", ErrName, len(all))
		}
		return append(all, Person{Name: name, Digest: hex.EncodeToString(digest[:]), Made: now.UTC()}), nil
	})
}

// Remove makes somebody's token good for nothing.
func Remove(file, name string) error {
	return change(file, func(all []Person) ([]Person, error) {
		for i, one := range all {
			if one.Name == name {
				return append(all[:i:i], all[i+1:]...), nil
			}
		}
		return nil, fmt.Errorf("%w: %s has no token; `parity token list` shows who has", ErrName, name)
	})
}

// change writes the file anew: the next one beside it first, which also keeps two
// from changing it at once.
func change(file string, do func([]Person) ([]Person, error)) (err error) {
	next := file + ".next"
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there: another command is changing the tokens; where none is, one was killed: remove that file", next)
	}
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err == nil {
			err = os.Rename(next, file)
		} else {
			err = errors.Join(err, os.Remove(next))
		}
	}()
	all, err := List(file)
	if err == nil {
		all, err = do(all)
	}
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, one := range all {
		fmt.Fprintf(&text, "%s %s %s\n", one.Name, one.Digest, one.Made.Format(time.RFC3339))
	}
	if _, err = f.WriteString(text.String()); err != nil {
		return err
	}
	return f.Sync()
}
