package gitwire_test

import (
	"bytes"
	"crypto/sha1" // #nosec G505 -- as git has it
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/github/gitwire"
)

func some() []gitwire.Object {
	return []gitwire.Object{
		{Kind: gitwire.Blob, Data: []byte("hello\n")},
		{Kind: gitwire.Blob, Data: bytes.Repeat([]byte("much "), 5000)},
		{Kind: gitwire.Tree, Data: []byte{}},
		{Kind: gitwire.Tag, Data: []byte("object x\n")},
	}
}

func none(string) (gitwire.Object, bool) { return gitwire.Object{}, false }

func TestPacksComeBackAsTheyWent(t *testing.T) {
	t.Parallel()
	pack, err := gitwire.Pack(some())
	if err != nil {
		t.Fatal(err)
	}
	got, err := gitwire.Unpack(pack, gitwire.Limits{Bytes: 1 << 20}, none)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range some() {
		if got[i].Kind != want.Kind || !bytes.Equal(got[i].Data, want.Data) {
			t.Errorf("object %d is %s %.20q", i, got[i].Kind, got[i].Data)
		}
	}
	if name := some()[0].Name(); name != "ce013625030ba8dba906f756967f9e9ca394464a" { // git hash-object
		t.Errorf("hello is %s", name)
	}
	if _, err := gitwire.Unpack(pack, gitwire.Limits{Bytes: 20_000}, none); !errors.Is(err, gitwire.ErrTooMuch) {
		t.Errorf("over the limit: %v", err)
	}
	for cut := range len(pack) {
		if _, err := gitwire.Unpack(pack[:cut], gitwire.Limits{Bytes: 1 << 20}, none); err == nil {
			t.Fatalf("cut at %d it is a pack", cut)
		}
	}
}

func TestRequestsAreRead(t *testing.T) {
	t.Parallel()
	const a, b = "ce013625030ba8dba906f756967f9e9ca394464a", "0123456789012345678901234567890123456789"
	var out gitwire.Out
	out.Line("want " + a + " side-band-64k no-progress")
	out.Line("want " + b)
	out.Line("deepen 3")
	out.Flush()
	out.Line("have " + b)
	out.Flush()
	out.Line("done")
	fetch, err := gitwire.ReadFetch(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	want := gitwire.Fetch{Wants: []string{a, b}, Able: gitwire.Capabilities{"side-band-64k", "no-progress"}, Depth: 3, Haves: [][]string{{b}, {}}, Done: true}
	if diff := cmp.Diff(want, fetch); diff != "" {
		t.Error(diff)
	}
	out.Reset()
	out.Line(gitwire.Zero + " " + a + " refs/heads/x\x00 report-status atomic")
	out.Flush()
	out.WriteString("PACK")
	push, err := gitwire.ReadPush(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	wanted := gitwire.Push{Commands: []gitwire.Command{{Old: "", New: a, Ref: "refs/heads/x"}}, Able: gitwire.Capabilities{"report-status", "atomic"}, Pack: []byte("PACK")}
	if diff := cmp.Diff(wanted, push); diff != "" {
		t.Error(diff)
	}
}

// FuzzUnpack looks for packs that break it, or come to more than they may.
func FuzzUnpack(f *testing.F) {
	pack, err := gitwire.Pack(some())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(pack[:len(pack)-sha1.Size])
	f.Add([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x01\x7d\xce\x01\x36\x25\x03\x0b\xa8\xdb\xa9\x06\xf7\x56\x96\x7f\x9e\x9c\xa3\x94\x46\x4a"))
	f.Fuzz(func(t *testing.T, data []byte) {
		sum, made := sha1.Sum(data), 0 // #nosec G401 -- as git has it
		data = append(data, sum[:]...)
		base := func(string) (gitwire.Object, bool) { return some()[1], true }
		all, err := gitwire.Unpack(data, gitwire.Limits{Bytes: 1 << 20, Spend: func(n int) { made += n }}, base)
		size := 0
		for _, o := range all {
			size += len(o.Data)
		}
		if err == nil && (size > made || made > 1<<20) {
			t.Errorf("%d bytes, %d counted", size, made)
		}
	})
}

// FuzzRequests looks for requests that break the readers.
func FuzzRequests(f *testing.F) {
	f.Add([]byte("0032want ce013625030ba8dba906f756967f9e9ca394464a\n00000009done\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if fetch, err := gitwire.ReadFetch(data); err == nil && len(fetch.Wants) > len(data) {
			t.Error("more wants than bytes")
		}
		if push, err := gitwire.ReadPush(data); err == nil && len(push.Pack) > len(data) {
			t.Error("more pack than bytes")
		}
	})
}
