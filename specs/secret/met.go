package secret

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Met remembers which secrets came from outside, so that they are hidden wherever
// they turn up, under whatever name: those of one event while it is recorded, and
// those that records have for as long as a service may show them. Its zero value
// is ready, and safe for concurrent use; events are recorded one after another.
type Met struct {
	Mark Hide // what stands in their place

	mu    sync.Mutex
	fresh []needle
	kept  []needle // oldest first
	found index    // of kept
	ids   map[string]bool
}

// needle is one way that a secret is written.
type needle struct {
	text, secret  string
	before, after string // the mark
	known         bool   // to the service, before it came: its records have it in clear
	rarest        int    // place of the text's rarest byte; of fresh ones
}

const (
	shortest = 8    // shorter ones are hidden under their own name alone: they may be any word
	mostKept = 4096 // ways of writing; then the older half is forgotten, and found by name and form alone
)

// Meet notes a secret of the event that is recorded next, and the name that it
// came under, or "".
func (m *Met) Meet(name, secret string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	long := len(secret) >= shortest && !oneWord(secret)
	if long && run(secret, ".~") == len(secret) { // written alike everywhere
		m.add(needle{text: secret, secret: secret})
	} else if long {
		for _, written := range []string{secret, quoted(secret), url.QueryEscape(secret), url.PathEscape(secret)} {
			m.add(needle{text: written, secret: secret})
		}
		m.pieces(secret)
	} else if secret != "" && name != "" {
		before, value := `"`+quoted(name)+`":"`, quoted(secret)
		m.add(needle{text: before + value + `"`, secret: secret, before: before, after: `"`})
		m.add(needle{text: name + "=" + secret, secret: secret, before: name + "="})
	}
}

// oneWord tells what may be a word that is said for other reasons.
func oneWord(text string) bool {
	rest := strings.TrimLeft(text[1:], "abcdefghijklmnopqrstuvwxyz")
	return len(text) < 16 && rest == "" && (text[0]|0x20 >= 'a' && text[0]|0x20 <= 'z')
}

// pieces adds the parts of a secret that are written alike however often it is
// JSON in JSON, such as the lines of a private key.
func (m *Met) pieces(secret string) {
	special := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("\"\\&<>", r) }
	if strings.IndexFunc(secret, special) < 0 {
		return
	}
	n := 0
	for piece := range strings.FieldsFuncSeq(secret, special) {
		if len(piece) < leastPiece {
			continue
		}
		m.add(needle{text: piece, secret: piece})
		if n++; n == mostPieces {
			return
		}
	}
}

// Bounds on the parts of a secret: a shorter one may be a word.
const (
	leastPiece = 12
	mostPieces = 128
)

func (m *Met) add(is needle) {
	if !slices.ContainsFunc(m.fresh, func(n needle) bool { return n.text == is.text }) {
		is.rarest = rarest(is.text)
		m.fresh = append(m.fresh, is)
	}
}

// quoted is a text as JSON has it between quotes.
func quoted(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) < 0 {
		return text
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string is always written
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(out.String()), `"`), `"`)
}

// In tells whether one of them is in what is about to be written. Where none is,
// the event's own are done with.
func (m *Met) In(data []byte) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if slices.ContainsFunc(m.fresh, func(n needle) bool { return contains(data, n.text, n.rarest) }) || m.found.in(data) || m.cutIn(data) {
		return true
	}
	m.fresh = m.fresh[:0]
	return false
}

// Settle says what the event does to records: had tells whether one had a text
// before, has whether one has it from now on. A secret that they had is the
// service's own; one that they have from now on is hidden in events to come.
func (m *Met) Settle(had, has func(text string) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.fresh {
		n := &m.fresh[i]
		switch {
		case m.found.has(n.text):
		case had(n.text):
			n.known = true
		case has(n.text) && len(n.text) >= shortest:
			m.keep(*n)
		}
	}
}

func (m *Met) keep(n needle) {
	if len(m.kept) >= mostKept {
		m.kept = slices.Clone(m.kept[mostKept/2:])
		m.found = index{}
		for i := range m.kept {
			m.found.add(&m.kept[i])
		}
	}
	m.kept = append(m.kept, n)
	m.found.add(&n)
}

// Done ends the event.
func (m *Met) Done() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.fresh)
	m.fresh = m.fresh[:0]
}

// Hide puts marks in the place of those that are in a text. Where it is of a
// record, those that are the service's own stay.
func (m *Met) Hide(text string, record bool) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := append(m.found.all([]byte(text)), m.fresh...)
	// The longest first: one may be the beginning of another.
	slices.SortStableFunc(all, func(a, b needle) int { return len(b.text) - len(a.text) })
	for _, n := range all {
		if !record || !n.known {
			if strings.Contains(text, n.text) {
				text = strings.ReplaceAll(text, n.text, n.before+m.Mark("", n.secret)+n.after)
			}
		}
	}
	return m.hideCut(text, record)
}

// Clone gives what a run that goes on from this one has to remember.
func (m *Met) Clone() *Met {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := &Met{Mark: m.Mark, ids: maps.Clone(m.ids)}
	for _, n := range m.kept {
		c.keep(n)
	}
	return c
}

// Renamed tells whether a record is known under an id without the secret that is
// in its own: it is from when it is made, or never.
func (m *Met) Renamed(record string, made bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if made {
		if m.ids == nil {
			m.ids = map[string]bool{}
		}
		m.ids[record] = true
	}
	return m.ids[record]
}

// index finds many needles in one pass, by how they begin.
type index struct {
	bits   []uint64 // of the hashes of beginnings
	begins map[uint64][]*needle
}

func (x *index) add(n *needle) {
	if x.begins == nil {
		x.bits, x.begins = make([]uint64, 1<<10), map[uint64][]*needle{}
	}
	begin := binary.LittleEndian.Uint64([]byte(n.text))
	h := slot(begin)
	x.bits[h>>6] |= 1 << (h & 63)
	x.begins[begin] = append(x.begins[begin], n)
}

// slot is one of 65,536, by Fibonacci hashing.
func slot(begin uint64) uint64 { return begin * 0x9e3779b97f4a7c15 >> 48 }

func (x *index) each(data []byte, yield func(*needle) bool) {
	if x.begins == nil {
		return
	}
	for i := 0; i+shortest <= len(data); i++ {
		begin := binary.LittleEndian.Uint64(data[i:])
		if h := slot(begin); x.bits[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		for _, n := range x.begins[begin] {
			if bytes.HasPrefix(data[i:], []byte(n.text)) && !yield(n) {
				return
			}
		}
	}
}

func (x *index) has(text string) bool {
	return len(text) >= shortest && slices.ContainsFunc(x.begins[binary.LittleEndian.Uint64([]byte(text))], func(n *needle) bool { return n.text == text })
}

func (x *index) in(data []byte) (found bool) {
	x.each(data, func(*needle) bool { found = true; return false })
	return found
}

// all are those in a text.
func (x *index) all(data []byte) (list []needle) {
	met := map[string]bool{}
	x.each(data, func(n *needle) bool {
		if !met[n.text] {
			met[n.text] = true
			list = append(list, *n)
		}
		return true
	})
	return list
}
