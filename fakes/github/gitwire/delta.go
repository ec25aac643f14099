package gitwire

import "bytes"

// apply makes what a delta says of a base: it copies parts of that, and inserts
// what is new.
func (p *packing) apply(base, delta []byte) ([]byte, error) {
	in := bytes.NewReader(delta)
	from, err := length(in)
	if err != nil || from != len(base) {
		return nil, ErrPack
	}
	size, err := length(in)
	if err != nil {
		return nil, err
	}
	if err := p.room(size); err != nil {
		return nil, err
	}
	var out []byte
	for in.Len() > 0 {
		op, _ := in.ReadByte() // there is one
		var piece []byte
		switch {
		case op&0x80 != 0:
			at, n := operands(in, op)
			if at+n > len(base) {
				return nil, ErrPack
			}
			piece = base[at : at+n]
		case op > 0 && int(op) <= in.Len():
			at := len(delta) - in.Len()
			piece = delta[at : at+int(op)]
			in.Reset(delta[at+int(op):])
			delta = delta[at+int(op):]
		default:
			return nil, ErrPack
		}
		if len(out)+len(piece) > size {
			return nil, ErrPack
		}
		out = append(out, piece...)
	}
	if len(out) != size {
		return nil, ErrPack
	}
	return out, nil
}

// operands reads where a copy begins and how long it is: only bytes that are not
// 0 are there, and op tells which.
func operands(in *bytes.Reader, op byte) (at, size int) {
	for i := range 7 {
		if op&(1<<i) == 0 {
			continue
		}
		b, err := in.ReadByte()
		if err != nil {
			return 1 << 40, 0 // beyond any base
		}
		if i < 4 {
			at |= int(b) << (8 * i)
		} else {
			size |= int(b) << (8 * (i - 4))
		}
	}
	if size == 0 {
		size = 0x10000
	}
	return at, size
}

// length reads a number, seven bits at a time.
func length(in *bytes.Reader) (int, error) {
	n := 0
	for shift := 0; shift <= 35; shift += 7 {
		b, err := in.ReadByte()
		if err != nil {
			return 0, ErrPack
		}
		n |= int(b&127) << shift
		if b&0x80 == 0 {
			return n, nil
		}
	}
	return 0, ErrPack
}
