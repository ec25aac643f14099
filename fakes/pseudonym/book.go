package pseudonym

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"parity/specs/personal"
)

// Secret is the kind of what a mark stands for: credentials, and what the contract
// calls a password.
const Secret personal.Kind = "secret"

// A Book has the pseudonyms of one set of values. What is in all of them is met
// first; once it is settled, each value can be had with pseudonyms.
type Book struct {
	key     []byte
	known   map[string]bool                     // words that are the service's own, in lower case
	met     map[personal.Kind]map[string]string // by kind and folded value, as it was first met
	words   map[string]string                   // folded word -> pseudonym, in lower case
	taken   map[string]bool                     // pseudonyms that are given
	singles []byte                              // of the letters a to z
	exact   index                               // values that are replaced wherever they stand
	names   map[string][]name                   // by the first word
	alone   map[string]bool                     // words of names that are replaced in what people write
	digits  map[string]personal.Kind            // numbers as their digits alone
	things  map[string]bool                     // what is called by a login, and is nobody
	ids     map[string]bool                     // numbers that are ids, and so no cards
	digests map[string]string                   // of addresses of mail, as avatars have them
	settled bool
	Whole   int // texts in which something was left in spite of all, and that were taken out whole
}

// New makes a Book whose pseudonyms are those of a key. known are words that are
// the service's own, such as those in its paths: what somebody is called by one
// of them stays where that word has its own meaning.
func New(key []byte, known ...string) *Book {
	b := &Book{
		key: slices.Clone(key), known: map[string]bool{}, met: map[personal.Kind]map[string]string{}, words: map[string]string{}, taken: map[string]bool{},
		names: map[string][]name{}, alone: map[string]bool{}, digits: map[string]personal.Kind{}, digests: map[string]string{}, ids: map[string]bool{}, things: map[string]bool{},
	}
	for _, word := range known {
		b.known[fold(word)] = true
	}
	b.singles = b.shuffled()
	return b
}

// Own adds a word that is the service's own, before the book is settled.
func (b *Book) Own(word string) { b.known[fold(word)] = true }

// Put gives the pseudonym of a value that is known to be of a kind, and notes it.
func (b *Book) Put(kind personal.Kind, text string) string {
	b.meet(kind, text)
	if !b.settled && kind != Secret {
		return text
	}
	return b.Of(kind, text)
}

// meet notes a value of a kind.
func (b *Book) meet(kind personal.Kind, text string) {
	if text = strings.TrimSpace(text); text == "" || b.settled || marked(text) {
		return
	}
	if b.met[kind] == nil {
		b.met[kind] = map[string]string{}
	}
	as := fold(text)
	if kind == personal.Phone || kind == personal.Card {
		as = line(text)
	}
	if _, ok := b.met[kind][as]; !ok {
		b.met[kind][as] = text
	}
	if digits := digitsOf(text); (kind == personal.Phone || kind == personal.Card) && len(digits) >= 7 { // each writing is known, and counts once
		b.digits[digits] = kind
	}
}

// Counts is how many different values of each kind have pseudonyms.
func (b *Book) Counts() map[personal.Kind]int {
	counts := map[personal.Kind]int{}
	for kind, all := range b.met {
		for _, text := range all {
			if kind == Secret || b.Of(kind, text) != text {
				counts[kind]++
			}
		}
	}
	return counts
}

// Settle gives each value that was met its pseudonym. What is met later has one
// too, but is not looked for where it stands alone.
func (b *Book) Settle() {
	if b.settled {
		return
	}
	b.settled = true
	for id := range b.ids {
		delete(b.digits, id)
		delete(b.met[personal.Card], line(id))
	}
	for _, kind := range slices.Sorted(maps.Keys(b.met)) {
		for _, text := range slices.Sorted(maps.Keys(b.met[kind])) {
			for _, word := range wordsOf(text) {
				b.taken[word] = true // no pseudonym is a word that was there
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(b.met)) {
		for _, folded := range slices.Sorted(maps.Keys(b.met[kind])) {
			b.settle(kind, b.met[kind][folded])
		}
	}
}

// settle has a value be known wherever it stands.
func (b *Book) settle(kind personal.Kind, text string) {
	const shortest = 4
	is := b.Of(kind, text)
	if is == text {
		return
	}
	switch kind {
	case personal.Name:
		b.called(text)
	case personal.Email:
		b.digest(text, is)
		b.exact.add(text, is, kind)
	case personal.Phone, personal.Card: // known by their digits
	case personal.Birth: // a day may be any other, too
	default:
		if len(text) >= shortest && !b.known[fold(text)] {
			b.exact.add(text, is, kind)
		}
	}
}

// Of gives the pseudonym of a value that is wholly of a kind.
func (b *Book) Of(kind personal.Kind, text string) string {
	switch kind {
	case personal.Email:
		return b.email(text)
	case personal.Phone:
		return b.phone(text)
	case personal.Name:
		return b.name(text)
	case personal.Login:
		return b.login(text)
	case personal.Address:
		return b.address(text)
	case personal.Account:
		return b.account(text)
	case personal.Card:
		return b.card(text)
	case personal.Birth:
		return b.birth(text)
	case personal.Network:
		return b.network(text)
	case Secret:
		return b.mark(text)
	}
	return text
}

// draw is a number that only the key tells.
func (b *Book) draw(use string, parts ...string) uint64 {
	sum := b.sum(use, parts...)
	return binary.BigEndian.Uint64(sum[:])
}

func (b *Book) sum(use string, parts ...string) (sum [sha256.Size]byte) {
	h := hmac.New(sha256.New, b.key)
	for _, part := range append([]string{use}, parts...) {
		var size [4]byte
		binary.BigEndian.PutUint32(size[:], uint32(len(part))) //nolint:gosec // no text has so many bytes
		_, _ = h.Write(size[:])
		_, _ = h.Write([]byte(part))
	}
	copy(sum[:], h.Sum(nil))
	return sum
}

// fold is a text without what two writings of one value differ in.
func fold(text string) string { return strings.ToLower(strings.TrimSpace(text)) }
