package coding_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"parity/specs/coding"
)

// words is text that compresses, and not into nothing.
func words(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, `{"id":"ch_%d","amount":%d},`, i*7919, i*i)
	}
	return b.Bytes()[:n]
}

func reader(t *testing.T, encoding string, r io.Reader) io.Reader {
	t.Helper()
	switch encoding {
	case coding.Gzip:
		zipped, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		return zipped
	case coding.Brotli:
		return brotli.NewReader(r)
	}
	return r
}

// Each piece can be read as soon as its bytes are there, whatever comes after.
func TestEachPieceCanBeReadWhenItIsThere(t *testing.T) {
	t.Parallel()
	plain := words(1000)
	at := []int{1, 100, 101, 640, 1000}
	for _, encoding := range []string{coding.Identity, coding.Gzip, coding.Brotli} {
		b, err := coding.Encode(encoding, plain, at)
		if err != nil || len(b.Ends) != len(at) || b.Ends[len(at)-1] != len(b.Bytes) {
			t.Fatalf("%q: ends %v of %d bytes, %v", encoding, b.Ends, len(b.Bytes), err)
		}
		for i, end := range b.Ends {
			if got := coding.Readable(encoding, b.Bytes[:end]); got != at[i] {
				t.Errorf("%q: %d bytes can be read after piece %d; want %d", encoding, got, i, at[i])
			}
		}
		got, err := io.ReadAll(reader(t, encoding, bytes.NewReader(b.Bytes)))
		if err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%q: %d bytes came back, %v", encoding, len(got), err)
		}
	}
}

// A body that is cut shows no more than its beginning, and its reader fails.
func TestABodyThatIsCut(t *testing.T) {
	t.Parallel()
	plain := words(20_000)
	for _, encoding := range []string{coding.Gzip, coding.Brotli} {
		b, err := coding.Encode(encoding, plain, nil)
		if err != nil {
			t.Fatal(err)
		}
		half := b.Bytes[:len(b.Bytes)/2]
		got, err := io.ReadAll(reader(t, encoding, bytes.NewReader(half)))
		if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.HasPrefix(plain, got) || len(got) == len(plain) {
			t.Errorf("%s: %d bytes, %v", encoding, len(got), err)
		}
		if n := coding.Readable(encoding, half); n != len(got) {
			t.Errorf("%s: %d bytes are said to be readable, and %d are", encoding, n, len(got))
		}
	}
}

func TestBodiesWithoutBytes(t *testing.T) {
	t.Parallel()
	for _, encoding := range []string{coding.Identity, coding.Gzip, coding.Brotli} {
		b, err := coding.Encode(encoding, nil, nil)
		if err != nil || len(b.Ends) != 1 || coding.Readable(encoding, b.Bytes) != 0 {
			t.Errorf("%q: %+v, %v", encoding, b, err)
		}
	}
	if _, err := coding.Encode("zstd", []byte("x"), nil); err == nil {
		t.Error("zstd was taken")
	}
}

func TestAsked(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]string{
		"": "", "gzip": "gzip", "gzip, deflate, br": "br", "GZIP;q=1.0, br;q=0.5": "gzip", "br;q=0, gzip;q=0": "", "*": "br",
		"*;q=0.5, br;q=0": "gzip", "deflate, zstd": "", "x-gzip": "gzip", "br;q=2, gzip": "gzip", "br;q=NaN": "", " br ; q=0.1 ,": "br",
	} {
		if got := coding.Asked(strings.Split(accept, "|")); got != want {
			t.Errorf("%q: %q; want %q", accept, got, want)
		}
	}
}
