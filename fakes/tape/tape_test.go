package tape_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"parity/fakes/tape"
)

// pieces gives pieces to a reader.
func pieces(all [][]byte) *tape.Reader {
	return tape.NewReader(func() ([]byte, error) {
		if len(all) == 0 {
			return nil, nil
		}
		first := all[0]
		all = all[1:]
		return first, nil
	})
}

// What is written is read, wherever it was cut.
func TestWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var all [][]byte
		w := tape.NewWriter(func(piece []byte) error { all = append(all, bytes.Clone(piece)); return nil })
		var steps []func(r *tape.Reader) (got, want any)
		for range rapid.IntRange(0, 50).Draw(t, "steps") {
			switch rapid.IntRange(0, 6).Draw(t, "what") {
			case 0:
				n := rapid.Uint64().Draw(t, "number")
				w.Number(n)
				steps = append(steps, func(r *tape.Reader) (any, any) { return r.Number(), n })
			case 1:
				n := rapid.Int64().Draw(t, "int")
				w.Int(n)
				steps = append(steps, func(r *tape.Reader) (any, any) { return r.Int(), n })
			case 2:
				f := rapid.Float64().Draw(t, "float")
				w.Float(f)
				steps = append(steps, func(r *tape.Reader) (any, any) { return math.Float64bits(r.Float()), math.Float64bits(f) })
			case 3:
				is := rapid.Bool().Draw(t, "flag")
				w.Flag(is)
				steps = append(steps, func(r *tape.Reader) (any, any) { return r.Flag(), is })
			case 4:
				s := rapid.String().Draw(t, "text")
				w.Text(s)
				steps = append(steps, func(r *tape.Reader) (any, any) { return r.Text(), s })
			case 5:
				b := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
				w.Bytes(b)
				steps = append(steps, func(r *tape.Reader) (any, any) { return string(r.Bytes()), string(b) })
			case 6:
				w.Cut(rapid.Bool().Draw(t, "always"))
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r := pieces(all)
		for i, step := range steps {
			if got, want := step(r); got != want || r.Err() != nil {
				t.Fatalf("step %d: %v, want %v: %v", i, got, want, r.Err())
			}
		}
		if r.Number(); r.Err() == nil {
			t.Fatal("more was read than was written")
		}
	})
}

// A piece is given away once it is long, and nothing after an error.
func TestPiecesAreGivenAwayOnceTheyAreLong(t *testing.T) {
	t.Parallel()
	given := 0
	w := tape.NewWriter(func([]byte) error {
		if given++; given == 2 {
			return fmt.Errorf("no room")
		}
		return nil
	})
	for range 5 {
		w.Bytes(make([]byte, 300<<10))
		w.Cut(false)
	}
	if err := w.Close(); err == nil || given != 2 {
		t.Errorf("%d pieces, %v", given, err)
	}
}

// Whatever is read, a reader ends, and makes nothing larger than that.
func FuzzReader(f *testing.F) {
	f.Add([]byte{3, 'a', 'b', 'c', 1, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		r := pieces([][]byte{data})
		for n := uint64(len(data)) + 1; r.Loop(&n); {
			if len(r.Text())+len(r.Bytes()) > len(data) {
				t.Fatal("it made up bytes")
			}
			r.Flag()
		}
		if r.Err() == nil {
			t.Fatal("it read more than there is")
		}
	})
}
