package trail_test

import (
	"reflect"
	"strings"
	"testing"

	"parity/faults/trail"
)

// Two fields of one number would both be left out of the record, without a
// word: that is how the encoding treats them.
func TestNoTwoFieldsHaveOneNumber(t *testing.T) {
	t.Parallel()
	seen := map[reflect.Type]bool{}
	var look func(of reflect.Type)
	look = func(of reflect.Type) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice || of.Kind() == reflect.Map {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct || seen[of] {
			return
		}
		seen[of] = true
		numbers := map[string]string{}
		for i := range of.NumField() {
			f := of.Field(i)
			number, _, keyed := strings.Cut(f.Tag.Get("cbor"), ",keyasint")
			if was, taken := numbers[number]; keyed && taken {
				t.Errorf("%s: %s and %s are both number %s; give the newer one another", of, was, f.Name, number)
			}
			numbers[number] = f.Name
			look(f.Type)
		}
	}
	look(reflect.TypeFor[trail.Event]())
	look(reflect.TypeFor[trail.Settlement]())
	if !seen[reflect.TypeFor[trail.Strike]()] {
		t.Error("strikes were not looked at")
	}
}
