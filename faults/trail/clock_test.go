package trail_test

import (
	"encoding/hex"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/faults/trail"
)

// A move of the clock comes back as it was written, and one from before it
// could say more still reads.
func TestClockMoves(t *testing.T) {
	t.Parallel()
	codec, err := trail.NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	whole := trail.Clock{To: 9, Why: "asked to", Frozen: true, Mode: "stepped", Speed: 0.1, Step: time.Minute}
	e := trail.Event{Seq: 3, Kind: trail.ClockMoved, At: 7, Clock: &whole}
	data, err := codec.Event(&e)
	if err != nil {
		t.Fatal(err)
	}
	read, err := codec.ReadEvent(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(e, read); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	e.Clock = &trail.Clock{To: 9, Why: "asked to"}
	before, err := hex.DecodeString("a401030265636c6f636b030709a20109026861736b656420746f")
	if err != nil {
		t.Fatal(err)
	}
	if read, err = codec.ReadEvent(before); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(e, read); diff != "" {
		t.Errorf("of before (-want +got):\n%s", diff)
	}
}
