package secrets

import (
	"fmt"
	"io"

	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/gateway/scan"
	"parity/specs/words"
)

// scanners makes what looks: once all is known that is looked for.
func (h *hunt) scanners() {
	if h.all != nil {
		return
	}
	h.all = scan.New(h.values, h.issuers...)
	var others []scan.Secret
	for _, s := range h.values {
		if !h.tokenOfARun(s.Kind) {
			others = append(others, s)
		}
	}
	h.raw = scan.New(others, h.issuers...)
}

func (h *hunt) tokenOfARun(kind string) bool {
	for _, r := range h.runs {
		if kind == "the token of run "+r.id {
			return true
		}
	}
	return false
}

// records looks through what the records of the runs say, unpacked.
func (h *hunt) records() error {
	h.scanners()
	for _, r := range h.runs {
		err := h.within(r, func(rec *journal.Record) error {
			err := kept.Parts(rec, h.codec, func(place string, data []byte) { h.part(h.all, "run "+r.id+", "+place, data) })
			if err != nil {
				h.notes = append(h.notes, fmt.Sprintf("run %s: of what follows its pages alone were looked through: %v", r.id, err))
			}
			saved, err := kept.SavedState(rec)
			if err != nil || saved == nil {
				return nil //nolint:nilerr // it is a cache: what is in it, is in events and pages
			}
			return h.stream("run "+r.id+", checkpoint", saved, false)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (h *hunt) part(with *scan.Scanner, place string, data []byte) {
	h.size += int64(len(data))
	with.Bytes(data, func(f scan.Finding) { h.find(place, f) })
}

// stream looks through a file, or what is as long. The pages of a journal have the
// tokens of its runs, where they belong.
func (h *hunt) stream(place string, r io.Reader, pages bool) error {
	h.scanners()
	with := h.all
	if pages {
		with = h.raw
	}
	h.parts++
	size, err := with.Stream(r, func(f scan.Finding) { h.find(place, f) })
	h.size += size
	if err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	return nil
}

func (h *hunt) find(place string, f scan.Finding) {
	what := f.Kind
	if f.As != "" {
		what += ", " + f.As
	}
	h.count++
	if len(h.list) < mostTold {
		h.list = append(h.list, found{fmt.Sprintf("%s:%d", place, f.At), what})
	}
}

// tell says what was found, and what was not looked for.
func (h *hunt) tell(w io.Writer) (code int) {
	for _, f := range h.list {
		fmt.Fprintln(w, f)
	}
	if more := h.count - len(h.list); more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	for _, text := range h.short {
		fmt.Fprintf(w, "not looked for: %s, which has fewer than %d characters\n", text, scan.Shortest)
	}
	for _, text := range h.notes {
		fmt.Fprintln(w, text)
	}
	fmt.Fprintf(w, "%s of %s and %s looked through, for %s and what looks like a real credential: %s\n", size(h.size),
		words.Count(len(h.runs), "run"), words.Count(h.parts, "file"), words.Count(len(h.values), "value"), words.Count(h.count, "finding"))
	if h.count > 0 {
		return 1
	}
	return 0
}

// size is a number of bytes for people.
func size(n int64) string {
	const mega = 1 << 20
	if n >= mega {
		return fmt.Sprintf("%d MiB", n/mega)
	}
	return fmt.Sprintf("%d KiB", (n+1023)/1024)
}
