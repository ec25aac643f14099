package generic

import (
	"strconv"
	"sync"
	"testing"

	"parity/specs/schema"
)

func TestNamesInAnotherWritingAreFoundAtOnce(t *testing.T) {
	t.Parallel()
	f := &form{fields: map[string]*schema.Schema{}}
	for i := range 500 {
		f.names = append(f.names, "Own_Name-"+strconv.Itoa(i))
	}
	f.names = append(f.names, "ownname1") // a second way of writing: the first is meant
	f.plain = sync.OnceValue(f.plainNames)
	if own, ok := f.alike("ownName1"); own != "Own_Name-1" || !ok {
		t.Errorf("%s %v", own, ok)
	}
	if own, ok := f.alike("ownName500"); ok {
		t.Errorf("found %s", own)
	}
	for i := range 200_000 { // held against each name: a hundred million times
		if own, ok := f.alike("other" + strconv.Itoa(i)); ok {
			t.Fatalf("found %s", own)
		}
	}
}
