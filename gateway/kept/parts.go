package kept

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"parity/faults/trail"
	"parity/gateway/journal"
)

// TokenKey is the note of a run that has its token: a gateway that starts anew
// knows its clients by it.
const TokenKey = "token"

// Parts gives all that a record says, unpacked, part by part: notes but for the
// run's token, profiles, each field of each event and settlement. Place says where
// a part is: event 12, exchange.body. What is damaged ends with an error, after
// what is whole.
func Parts(r *journal.Record, codec *trail.Codec, part func(place string, data []byte)) error {
	meta, err := r.Meta()
	if err != nil {
		return err
	}
	for key, value := range meta {
		if key != TokenKey {
			part("note "+key, []byte(value))
		}
	}
	revisions, err := r.Revisions()
	if err != nil {
		return err
	}
	for _, revision := range revisions {
		part("profile "+revision.Hash, revision.Content)
	}
	for entry, err := range r.Entries(0) {
		if err != nil {
			return err
		}
		e, err := codec.ReadEvent(entry.Data)
		if err != nil { // of another Parity: what there is, is bytes
			part(fmt.Sprintf("event %d", entry.Seq), entry.Data)
			continue
		}
		leaves(reflect.ValueOf(e), func(path []string, data []byte) {
			part(fmt.Sprintf("event %d, %s", entry.Seq, strings.Join(path, ".")), data)
		})
	}
	for kept, err := range r.Settlements() {
		if err != nil {
			return err
		}
		s, err := codec.ReadSettlement(kept.Data)
		if err != nil {
			part(fmt.Sprintf("what went out for event %d", kept.Of), kept.Data)
			continue
		}
		leaves(reflect.ValueOf(s), func(path []string, data []byte) {
			part(fmt.Sprintf("what went out for event %d, %s", kept.Of, strings.Join(path, ".")), data)
		})
	}
	return nil
}

// leaves gives each text of a value, and where it stands, as JSON names it.
func leaves(v reflect.Value, give func(path []string, data []byte)) {
	var walk func(v reflect.Value, path []string)
	walk = func(v reflect.Value, path []string) {
		switch v.Kind() {
		case reflect.String:
			if v.Len() > 0 {
				give(path, []byte(v.String()))
			}
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem(), path)
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.IsExported() {
					name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
					if name == "" || name == "-" {
						name = f.Name
					}
					walk(v.Field(i), append(path, name))
				}
			}
		case reflect.Slice:
			if v.Type().Elem().Kind() == reflect.Uint8 {
				if v.Len() > 0 {
					give(path, v.Bytes())
				}
				return
			}
			for i := range v.Len() {
				walk(v.Index(i), append(path, strconv.Itoa(i)))
			}
		case reflect.Map:
			for each := v.MapRange(); each.Next(); {
				name := fmt.Sprint(each.Key())
				give(append(path, "(a name)"), []byte(name))
				walk(each.Value(), append(path, "(of a map)")) // a name may be the secret
			}
		}
	}
	walk(v, nil)
}

// SavedState gives the newest checkpoint of a record, as one stream; nil: it has
// none. One that is damaged is no part of the record: the stream ends with why.
func SavedState(r *journal.Record) (io.Reader, error) {
	c, err := r.Checkpoint(math.MaxInt64)
	if err != nil || c == nil {
		return nil, err
	}
	return &pieces{next: c.Pieces()}, nil
}

// pieces reads the pieces of a checkpoint one after another.
type pieces struct {
	next func() ([]byte, error)
	left []byte
}

func (p *pieces) Read(to []byte) (int, error) {
	if len(p.left) == 0 {
		piece, err := p.next()
		switch {
		case err != nil:
			return 0, err
		case piece == nil:
			return 0, io.EOF
		}
		p.left = piece
	}
	n := copy(to, p.left)
	p.left = p.left[n:]
	return n, nil
}
