package trail

import (
	"bytes"
	"encoding/binary"

	"github.com/fxamacker/cbor/v2"
)

// A writer encodes what each exchange has without reflection, and the rest by
// the library, whose bytes all of it has: TestWrittenAsTheLibraryDoes.
type writer struct {
	buf []byte
	enc cbor.EncMode
	err error // the first
}

// Major types of CBOR (RFC 8949, section 3.1).
const (
	majorUint  = 0 << 5
	majorInt   = 1 << 5
	majorBytes = 2 << 5
	majorText  = 3 << 5
	majorArray = 4 << 5
	majorMap   = 5 << 5
)

const cborTrue = 0xf5

// head writes a major type with its argument, as short as it goes.
func (w *writer) head(major byte, n uint64) {
	switch {
	case n < 24:
		w.buf = append(w.buf, major|byte(n))
	case n < 1<<8:
		w.buf = append(w.buf, major|24, byte(n))
	case n < 1<<16:
		w.buf = binary.BigEndian.AppendUint16(append(w.buf, major|25), uint16(n))
	case n < 1<<32:
		w.buf = binary.BigEndian.AppendUint32(append(w.buf, major|26), uint32(n))
	default:
		w.buf = binary.BigEndian.AppendUint64(append(w.buf, major|27), n)
	}
}

func (w *writer) int(n int64) {
	if n < 0 {
		w.head(majorInt, uint64(-1-n))
		return
	}
	w.head(majorUint, uint64(n))
}

func (w *writer) text(s string) {
	w.head(majorText, uint64(len(s)))
	w.buf = append(w.buf, s...)
}

func (w *writer) bytes(b []byte) {
	w.head(majorBytes, uint64(len(b)))
	w.buf = append(w.buf, b...)
}

// other writes a value that few events have.
func (w *writer) other(v any) {
	data, err := w.enc.Marshal(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.buf = append(w.buf, data...)
}

// fields are the pairs of one map, whose number is known when all are written.
// What is named …If is left out where it is empty.
type fields struct {
	*writer
	at, n int
}

func (w *writer) fields() fields {
	w.buf = append(w.buf, 0)
	return fields{writer: w, at: len(w.buf) - 1}
}

// end writes how many there were. More than 23 take a byte more than was kept
// free.
func (f *fields) end() {
	if f.n < 24 {
		f.buf[f.at] = majorMap | byte(f.n) //nolint:gosec // below 24
		return
	}
	f.buf = append(f.buf, 0)
	copy(f.buf[f.at+2:], f.buf[f.at+1:])
	f.buf[f.at], f.buf[f.at+1] = majorMap|24, byte(f.n) //nolint:gosec // a struct has few
}

func (f *fields) key(number uint64) {
	f.head(majorUint, number)
	f.n++
}

func (f *fields) textIf(number uint64, s string) {
	if s != "" {
		f.key(number)
		f.text(s)
	}
}

func (f *fields) bytesIf(number uint64, b []byte) {
	if len(b) > 0 {
		f.key(number)
		f.bytes(b)
	}
}

func (f *fields) intIf(number uint64, n int64) {
	if n != 0 {
		f.key(number)
		f.int(n)
	}
}

func (f *fields) trueIf(number uint64, is bool) {
	if is {
		f.key(number)
		f.buf = append(f.buf, cborTrue)
	}
}

func (f *fields) otherIf(number uint64, is bool, v any) {
	if is {
		f.key(number)
		f.other(v)
	}
}

func (w *writer) event(e *Event) {
	f := w.fields()
	f.key(1)
	f.head(majorUint, e.Seq)
	f.key(2)
	f.text(string(e.Kind))
	f.key(3)
	f.int(int64(e.At))
	f.textIf(4, e.Identity)
	f.textIf(5, e.Revision)
	f.otherIf(6, e.Start != nil, e.Start)
	if e.Exchange != nil {
		f.key(7)
		f.exchange(e.Exchange, sameAs(e.Exchange.ReplyBody, e.Delta))
	}
	f.otherIf(8, e.Tunnel != nil, e.Tunnel)
	f.otherIf(9, e.Clock != nil, e.Clock)
	if len(e.Delta) > 0 {
		f.key(10)
		f.head(majorArray, uint64(len(e.Delta)))
		for i := range e.Delta {
			f.change(&e.Delta[i])
		}
	}
	f.otherIf(11, e.Claim != nil, e.Claim)
	f.otherIf(12, e.Snapshot != nil, e.Snapshot)
	f.otherIf(13, e.Timer != nil, e.Timer)
	f.otherIf(14, e.Of != 0, e.Of)
	f.otherIf(15, e.Epoch != nil, e.Epoch)
	f.otherIf(16, len(e.Declared) > 0, e.Declared)
	f.otherIf(17, e.Delivery != nil, e.Delivery)
	f.otherIf(18, e.Edit != nil, e.Edit)
	f.otherIf(19, e.Arming != nil, e.Arming)
	f.otherIf(20, e.Word != nil, e.Word)
	f.otherIf(21, e.Credential != nil, e.Credential)
	f.otherIf(22, e.Act != nil, e.Act)
	f.otherIf(23, e.Containment != nil, e.Containment)
	f.end()
}

// exchange writes an exchange. With a same above 0 its reply's body is what the
// change of that number, from 1, has as After: it is not written twice.
func (w *writer) exchange(x *Exchange, same int) {
	f := w.fields()
	f.key(1)
	f.text(x.Way)
	f.textIf(2, x.Service)
	f.textIf(3, x.Operation)
	f.textIf(4, x.OperationID)
	f.textIf(5, x.Effect)
	f.key(6)
	f.text(x.Method)
	f.key(7)
	f.text(x.Host)
	f.key(8)
	f.text(x.Path)
	f.textIf(9, x.Query)
	f.headers(10, x.Header)
	f.bytesIf(11, x.Body)
	f.key(12)
	f.intent(&x.Intent)
	f.key(13)
	f.text(string(x.Outcome))
	f.key(14)
	f.text(string(x.Fidelity))
	f.key(15)
	f.int(int64(x.Status))
	f.headers(16, x.ReplyHeader)
	if same == 0 {
		f.bytesIf(17, x.ReplyBody)
	}
	f.intIf(18, int64(x.FakeStatus))
	f.bytesIf(19, x.FakeBody)
	f.trueIf(20, x.Committed)
	f.trueIf(21, x.Replayed)
	f.trueIf(22, x.Whole)
	f.otherIf(23, x.Wire != Wire{}, x.Wire)
	f.otherIf(24, len(x.Strikes) > 0, x.Strikes)
	f.otherIf(25, len(x.Violations) > 0, x.Violations)
	f.textIf(26, x.Note)
	f.otherIf(27, x.Reserved != 0, x.Reserved)
	f.textIf(28, x.Base)
	f.trueIf(29, x.Altered)
	f.textIf(30, x.Bare)
	f.otherIf(31, len(x.Breaches) > 0, x.Breaches)
	f.intIf(32, int64(same))
	f.otherIf(33, len(x.Disputes) > 0, x.Disputes)
	f.otherIf(34, x.Policy != nil, x.Policy)
	f.otherIf(35, x.Within != 0, x.Within)
	f.intIf(36, int64(x.Part))
	f.intIf(37, int64(x.Parts))
	f.otherIf(38, len(x.Upstream) > 0, x.Upstream)
	f.intIf(39, int64(x.Times))
	f.trueIf(45, x.Overlaid)
	f.end()
}

func (f *fields) headers(number uint64, list []Field) {
	if len(list) == 0 {
		return
	}
	f.key(number)
	f.head(majorArray, uint64(len(list)))
	for i := range list {
		f.head(majorMap, 2)
		f.head(majorUint, 1)
		f.text(list[i].Name)
		f.head(majorUint, 2)
		f.text(list[i].Value)
	}
}

func (w *writer) intent(in *Intent) {
	f := w.fields()
	f.key(1)
	f.text(in.ID)
	f.key(2)
	f.text(in.Fingerprint)
	f.key(3)
	f.int(int64(in.Occurrence))
	f.key(4)
	f.int(int64(in.Attempt))
	f.textIf(5, in.Key)
	f.intIf(6, int64(in.SDKRetry))
	f.end()
}

// change writes a change, whose fields have names, the shortest first.
func (w *writer) change(c *Change) {
	f := w.fields()
	f.named("id")
	f.text(c.ID)
	f.named("op")
	f.text(string(c.Op))
	if c.Own {
		f.named("own")
		f.buf = append(f.buf, cborTrue)
	}
	if len(c.After) > 0 {
		f.named("after")
		f.bytes(c.After)
	}
	f.named("order")
	f.head(majorUint, c.Order)
	if len(c.Before) > 0 {
		f.named("before")
		f.bytes(c.Before)
	}
	f.named("version")
	f.head(majorUint, c.Version)
	f.named("collection")
	f.text(c.Collection)
	f.end()
}

func (f *fields) named(name string) {
	f.text(name)
	f.n++
}

func (w *writer) settlement(s *Settlement) {
	f := w.fields()
	f.key(1)
	f.head(majorUint, s.Of)
	f.key(2)
	f.int(s.Sent)
	f.trueIf(3, s.ClientGone)
	f.key(4)
	f.int(int64(s.Took))
	f.key(5)
	f.int(int64(s.Spent))
	f.textIf(6, s.Error)
	f.key(7)
	f.int(int64(s.Wall))
	f.textIf(8, s.Proto)
	f.intIf(9, int64(s.Began))
	f.end()
}

// shortestShared is how long a reply's body is at least that refers to a change:
// what is shorter is written as it is.
const shortestShared = 32

// sameAs gives the number, from 1, of the first change after which a record is
// what a reply's body says; 0: there is none.
func sameAs(body []byte, delta []Change) int {
	if len(body) < shortestShared {
		return 0
	}
	for i := range delta {
		if bytes.Equal(delta[i].After, body) {
			return i + 1
		}
	}
	return 0
}
