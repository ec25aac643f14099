package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"

	"parity/faults/trail"
)

// reportDoc is a report as JSON has it: with what it comes to, in the words of the
// terminal, so that no program reads a bare "passed".
type reportDoc struct {
	Report
	Proved         string            `json:"proved" jsonschema_description:"what the run is evidence of, in words"`
	Open           []string          `json:"open,omitempty" jsonschema_description:"verdicts that leave open whether an intent took effect twice; with --strict they fail the run"`
	Dead           []string          `json:"dead,omitempty" jsonschema_description:"rules and expectations whose condition could not be evaluated on any call that they were about; with --strict they fail the run"`
	UpstreamWrites int               `json:"upstream_writes" jsonschema_description:"writes that left for real services"`
	Unread         []trail.HostCount `json:"unread" jsonschema_description:"hosts that connections passed to without anybody reading them: upstream says nothing of these"`
	NotProved      []string          `json:"not_proved" jsonschema_description:"what it is no evidence of, in words; never empty" jsonschema:"minItems=1"`
}

// JSON writes the report as one JSON document, which Schema describes.
func JSON(w io.Writer, r Report) error {
	m := newMasker()
	r.Command = m.command(r.Command)
	doc := reportDoc{Report: r, Proved: proved(&r), Open: r.Open(), Dead: r.Dead(), UpstreamWrites: r.upstreamWrites(), Unread: r.unread(), NotProved: unproved(&r)}
	return m.document(w, listed(reflect.ValueOf(doc)).Interface())
}

// document writes a value as one JSON document that people can read too.
func (m *masker) document(w io.Writer, value any) error {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err := io.WriteString(w, m.json(out.String()))
	return err
}

// listed gives a copy in which no list is missing: a list in JSON is a list,
// and not null where it is empty.
func listed(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Slice:
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			list.Index(i).Set(listed(v.Index(i)))
		}
		return list
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		to := reflect.New(v.Type().Elem())
		to.Elem().Set(listed(v.Elem()))
		return to
	case reflect.Struct:
		whole := reflect.New(v.Type()).Elem()
		whole.Set(v)
		for i := range v.NumField() {
			if field := whole.Field(i); field.CanSet() {
				field.Set(listed(v.Field(i)))
			}
		}
		return whole
	}
	return v
}
