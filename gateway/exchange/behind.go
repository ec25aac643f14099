package exchange

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	"parity/specs/personal"
)

// mostBehind is of how many values of people a run remembers what they were.
const mostBehind = 100_000

// behind are the values of people that stand behind the digests of a run, for as
// long as the process goes on: they are written nowhere. A fake decides on records
// as they are kept, and its reply to a write shows what a read has shown.
type behind struct {
	mu sync.Mutex
	of map[string]string
}

// note remembers what a digest stands for.
func (b *behind) note(digest, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of == nil {
		b.of = map[string]string{}
	}
	if len(b.of) < mostBehind {
		b.of[digest] = text
	}
}

// back puts the values in a body, and tells how many of them nobody knows any more.
func (b *behind) back(body []byte, asJSON bool) (whole []byte, lacking int) {
	whole = personal.Placeholders().ReplaceAllFunc(body, func(found []byte) []byte {
		parts := personal.Placeholders().FindSubmatch(found)
		b.mu.Lock()
		text, ok := b.of["<"+string(parts[1])+" "+string(parts[2])+">"]
		b.mu.Unlock()
		switch {
		case !ok:
			lacking++
			return found
		case asJSON:
			return quoted(text)
		}
		return []byte(text)
	})
	return whole, lacking
}

// quoted is a text as it stands between the quotes of JSON.
func quoted(text string) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return nil
	}
	whole := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	return whole[1 : len(whole)-1]
}

// restore puts what stands behind digests into a reply that is about to go out, and
// not into what is kept of it. What an earlier process knew is lost, and the client
// is told.
func (x *Exchange) restore() {
	if x.run == nil || x.rev == nil || x.run.Out == nil || x.rev.real[x.service.Name] == nil || x.encoded != nil || !bytes.Contains(x.reply.Body, []byte(" ")) {
		return
	}
	whole, lacking := x.run.behind.back(x.reply.Body, json.Valid(x.reply.Body))
	x.reply.Body = whole
	if lacking > 0 {
		header := x.reply.Header.Clone()
		if header == nil {
			header = http.Header{}
		}
		header.Set("X-Parity-Redacted", strconv.Itoa(lacking))
		x.reply.Header = header
	}
}

// plainly gives the digests of what a call's own query and fields say, with what
// they stand for: of what is compared with them, and of nothing else, so that a
// record is decided again as it was.
func (x *Exchange) plainly() map[string]string {
	k, plain := x.keeping(), map[string]string{}
	k.behind = nil
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		case string:
			for _, kind := range personal.Kinds() {
				plain[k.digest(kind, v)] = v
			}
			for _, found := range personal.Find(v) {
				text := v[found.From:found.To]
				plain[k.digest(found.Kind, text)] = text
			}
		}
	}
	walk(x.input.Query)
	walk(x.input.Body)
	return plain
}
