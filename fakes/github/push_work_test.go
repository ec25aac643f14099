package github_test

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1" // #nosec G505 -- git's
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"parity/fakes/github/gitwire"
)

// laidOver is a pack of deltas that each make one byte over a large object.
func laidOver(t *testing.T, base gitwire.Object, count int) []byte {
	t.Helper()
	name, err := hex.DecodeString(base.Name())
	if err != nil {
		t.Fatal(err)
	}
	var squeezed bytes.Buffer
	w := zlib.NewWriter(&squeezed)
	delta := append(binary.AppendUvarint(nil, uint64(len(base.Data))), 1, 1, 'x')
	if _, err := w.Write(delta); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	one := append(append([]byte{7<<4 | byte(len(delta))}, name...), squeezed.Bytes()...)
	pack := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(count)) // #nosec G115 -- few
	pack = append(pack, bytes.Repeat(one, count)...)
	sum := sha1.Sum(pack) // #nosec G401
	return append(pack, sum[:]...)
}

// A kilobyte of deltas, each over a large file, took seconds, and a body of
// them hours.
func TestAPushPaysForWhatItsDeltasAreLaidOver(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	tip := web(r)
	r.Base = "https://github.com"
	large := gitwire.Object{Kind: gitwire.Blob, Data: bytes.Repeat([]byte("a"), 24<<20)}
	push := func(ref string, pack []byte) string {
		var out gitwire.Out
		out.Line(gitwire.Zero + " " + tip + " refs/heads/" + ref + "\x00 report-status")
		out.Flush()
		out.Write(pack)
		return r.Send("POST", "/octocat/web.git/git-receive-pack", out.String()).Raw
	}
	pack, err := gitwire.Pack([]gitwire.Object{large})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ref, want string
		pack      []byte
	}{
		{"large", "ok refs/heads/large", pack}, {"few", "ok refs/heads/few", laidOver(t, large, 3)}, {"many", "in time", laidOver(t, large, 30)},
	} {
		if said := push(c.ref, c.pack); !strings.Contains(said, c.want) {
			t.Errorf("%s: %s", c.ref, said)
		}
	}
}

// Each of a push's commands went through all that came with it: some hundred
// commands with some thousand objects took a quarter of a minute.
func BenchmarkAPushOfManyCommands(b *testing.B) {
	for range b.N {
		r := newRig(b)
		tip := web(r)
		r.Base = "https://github.com"
		all := make([]gitwire.Object, 5000)
		for i := range all {
			all[i] = gitwire.Object{Kind: gitwire.Blob, Data: fmt.Append(nil, i)}
		}
		pack, err := gitwire.Pack(all)
		if err != nil {
			b.Fatal(err)
		}
		var out gitwire.Out
		for i := range 300 {
			out.Line(gitwire.Zero + " " + tip + " refs/heads/z" + fmt.Sprint(i) + "\x00 report-status")
		}
		out.Flush()
		out.Write(pack)
		r.Must(200, r.Send("POST", "/octocat/web.git/git-receive-pack", out.String()))
	}
}
