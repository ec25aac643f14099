package trail

import (
	"bytes"
	"math/rand"
	"reflect"
	"testing"
	"testing/quick"

	"github.com/google/go-cmp/cmp"
)

// filled fills every field that a struct has, and those within, some of them
// with nothing.
func filled(of reflect.Value, r *rand.Rand) {
	empty := r.Intn(3) == 0
	switch of.Kind() {
	case reflect.Struct:
		for i := range of.NumField() {
			if of.Type().Field(i).Name != "ReplyIn" {
				filled(of.Field(i), r)
			}
		}
	case reflect.Pointer:
		if !empty {
			of.Set(reflect.New(of.Type().Elem()))
			filled(of.Elem(), r)
		}
	case reflect.Slice:
		if empty {
			return
		}
		n := r.Intn(4)
		if of.Type().Elem().Kind() == reflect.Uint8 {
			n = []int{0, 1, 23, 24, 255, 256, 70_000}[r.Intn(7)]
		}
		of.Set(reflect.MakeSlice(of.Type(), n, n))
		for i := range n {
			filled(of.Index(i), r)
		}
	case reflect.String:
		if !empty {
			of.SetString(string(make([]byte, []int{1, 23, 24, 300}[r.Intn(4)])))
		}
	case reflect.Bool:
		of.SetBool(!empty)
	case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Uint8:
		if empty {
			return
		}
		n := []int64{1, -1, 23, 24, -24, -25, 255, 256, 65535, 65536, 1 << 32, -1 << 40}[r.Intn(12)]
		if of.CanInt() {
			of.SetInt(n)
		} else {
			of.SetUint(uint64(n))
		}
	default:
		v, _ := quick.Value(of.Type(), r)
		of.Set(v)
	}
}

// What a new field needs in write.go shows here.
func TestWrittenAsTheLibraryDoes(t *testing.T) {
	t.Parallel()
	codec, err := NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(1))
	for n := range 2000 {
		var e Event
		filled(reflect.ValueOf(&e).Elem(), r)
		got, err := codec.Event(&e)
		if err != nil {
			t.Fatal(err)
		}
		if x := e.Exchange; x != nil {
			if x.ReplyIn = sameAs(x.ReplyBody, e.Delta); x.ReplyIn > 0 {
				x.ReplyBody = nil
			}
		}
		if want, err := codec.enc.Marshal(&e); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d: an event is written otherwise, error %v:\n%x\n%x\n%+v", n, err, got, want, e)
		}
		var s Settlement
		filled(reflect.ValueOf(&s).Elem(), r)
		err = codec.LendSettlement(&s, func(data []byte) error {
			got = bytes.Clone(data)
			return nil
		})
		if want, wrong := codec.enc.Marshal(&s); err != nil || wrong != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d: a settlement is written otherwise:\n%x\n%x\n%+v", n, got, want, s)
		}
	}
}

func TestAReplyThatIsARecordIsWrittenOnce(t *testing.T) {
	t.Parallel()
	codec, err := NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	record := bytes.Repeat([]byte("a record "), 100)
	e := Event{
		Seq: 7, Kind: Exchanged, Exchange: &Exchange{ReplyBody: bytes.Clone(record)},
		Delta: []Change{{Op: "update", ID: "other", Before: record}, {Op: "create", ID: "it", After: record}},
	}
	data, err := codec.Event(&e)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(data, record); n != 2 {
		t.Errorf("the record is in it %d times, want twice: before one change, and after the other", n)
	}
	read, err := codec.ReadEvent(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(e, read); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	if again, err := codec.Event(&read); err != nil || !bytes.Equal(again, data) {
		t.Errorf("written again it differs, error %v", err)
	}
	if e.Exchange.ReplyIn != 0 || !bytes.Equal(e.Exchange.ReplyBody, record) {
		t.Error("to write an event has changed it")
	}
}

func TestAnEventOfBeforeIsRead(t *testing.T) {
	t.Parallel()
	codec, err := NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	record := bytes.Repeat([]byte("a record "), 100)
	e := Event{Kind: Exchanged, Exchange: &Exchange{ReplyBody: record}, Delta: []Change{{Op: "create", ID: "it", After: record}}}
	data, err := codec.enc.Marshal(&e) // each body in full, as it was written once
	if err != nil {
		t.Fatal(err)
	}
	read, err := codec.ReadEvent(data)
	if diff := cmp.Diff(e, read); err != nil || diff != "" {
		t.Errorf("error %v, read back (-want +got):\n%s", err, diff)
	}
}

func TestAReplyInAChangeThatIsNotThereIsNoEvent(t *testing.T) {
	t.Parallel()
	codec, err := NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]Exchange{
		"beyond": {ReplyIn: 2}, "below": {ReplyIn: -1}, "beside a body": {ReplyIn: 1, ReplyBody: []byte("x")},
	} {
		data, err := codec.enc.Marshal(&Event{Exchange: &x, Delta: []Change{{ID: "it"}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := codec.ReadEvent(data); err == nil {
			t.Errorf("%s: it is read", name)
		}
	}
}
