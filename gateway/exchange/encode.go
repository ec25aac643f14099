package exchange

import (
	"net/http"
	"slices"

	"parity/faults"
	"parity/specs/coding"
)

// wrap says how the reply's body goes out: in which encoding, and where it is
// cut. A body that is only encoded is so later, when nobody waits for the run.
func (x *Exchange) wrap() {
	wire, plan := &x.plan.Wire, &x.plan
	if !x.bodied() || x.reply.Header.Get("Content-Encoding") != "" {
		plan.Encoding = ""
	}
	wire.Encoding = plan.Encoding
	if plan.Encoding == faults.AsAsked {
		wire.Encoding = coding.Asked(x.r.Header.Values("Accept-Encoding"))
	}
	if wire.Encoding != coding.Identity {
		header := x.reply.Header.Clone()
		if header == nil {
			header = http.Header{}
		}
		header.Set("Content-Encoding", wire.Encoding)
		header.Add("Vary", "Accept-Encoding")
		x.reply.Header = header
	}
	switch {
	case !wire.Short:
	case wire.Encoding == coding.Identity:
		wire.Cut = plan.CutAt(x.reply.Body)
	case plan.CutsText():
		wire.Shown = plan.CutAt(x.reply.Body)
		wire.Cut = x.encodeBody(wire.Shown)
	default:
		x.encodeBody()
		wire.Cut = plan.CutAt(x.encoded.Bytes)
		wire.Shown = coding.Readable(wire.Encoding, x.encoded.Bytes[:wire.Cut])
	}
}

// bodied tells whether the reply's status can have a body.
func (d *decided) bodied() bool {
	return d.reply.Status >= 200 && d.reply.Status != http.StatusNoContent && d.reply.Status != http.StatusNotModified
}

// encodeBody encodes the reply's body: in pieces, where it is dripped, that can
// each be read when they are there. It gives where the piece ends that ends
// at one more place of the body.
func (x *Exchange) encodeBody(more ...int) (end int) {
	body, wire := x.reply.Body, x.plan.Wire
	at := slices.Clone(more)
	for next := wire.Chunk; next > 0 && next < len(body); next += wire.Chunk {
		at = append(at, next)
	}
	slices.Sort(at)
	at = slices.Compact(at)
	encoded, err := coding.Encode(wire.Encoding, body, at)
	if err != nil {
		x.line.log.Error("body not encoded", "error", err)
	}
	x.encoded = &encoded
	if len(more) > 0 && err == nil {
		end = encoded.Ends[slices.Index(at, more[0])]
	}
	return end
}

// encodedBody gives the body as it goes out. A record that answers says what could be read of a
// body that was cut: it was flushed there, or it came out so.
func (x *Exchange) encodedBody() coding.Body {
	wire := x.plan.Wire
	if x.encoded != nil {
		return *x.encoded
	}
	x.encodeBody()
	if b := x.encoded.Bytes; wire.Short && wire.Encoding != "" && coding.Readable(wire.Encoding, b[:min(wire.Cut, len(b))]) != wire.Shown {
		x.encodeBody(min(wire.Shown, len(x.reply.Body)))
	}
	return *x.encoded
}
