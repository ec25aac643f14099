package profiles

import (
	"encoding/json"
	"fmt"

	"parity/faults/trail"
)

// Places says where the files of a profile have its rules and what it expects: by
// path, such as expect.one-charge.where. A journal keeps them beside the profile,
// whose content there is one document of its own.
type Places map[string]trail.Place

// Pack gives Places as a journal keeps them.
func (p Places) Pack() []byte {
	text, err := json.Marshal(p)
	if err != nil { // of texts and numbers: it cannot fail
		panic(err)
	}
	return text
}

// UnpackPlaces reads what Pack gave.
func UnpackPlaces(text []byte) (Places, error) {
	var p Places
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, fmt.Errorf("places in a profile: %w", err)
	}
	return p, nil
}

// at notes where a part of the profile is, or says what Options.Places has of it.
func (b *binder) at(path string, here place) trail.Place {
	p, known := b.o.Places[path]
	if !known {
		p = trail.Place{File: here.file, Line: here.line, Column: here.col}
	}
	if b.placed != nil { // a rule that is armed is in no file
		b.placed[path] = p
	}
	return p
}
