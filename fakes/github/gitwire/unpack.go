package gitwire

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1" // #nosec G505 -- git's names of objects
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
)

// Errors of packs, in git's words where it has some.
var (
	ErrPack    = errors.New("bad pack")
	ErrTooMuch = errors.New("pack exceeds maximum allowed size")
	ErrBase    = errors.New("pack has unresolved deltas")
)

// Limits bound what a pack may come to.
type Limits struct {
	Bytes int             // of all objects and deltas, inflated
	Spend func(bytes int) // is told of what was made; nil: nobody is
}

// A packing is a pack that is being unpacked.
//
// A delta waits for what it is laid over: a place in the pack, or a name that is
// in the pack or was known before.
type packing struct {
	limits  Limits
	left    int
	objects []*Object // by their place in the pack; nil: not known yet
	deltas  []delta
	names   map[string]int
	over    map[int][]int    // deltas by the place of what they are laid over
	overRef map[string][]int // and by its name
}

type delta struct {
	data []byte
	base int    // a place; -1: by name
	name string // of what it is laid over
}

// Unpack gives the objects of a pack, in its order. base finds what the pack
// takes for granted (a thin pack is laid over what the other side has).
func Unpack(pack []byte, limits Limits, base func(name string) (Object, bool)) ([]Object, error) {
	if len(pack) < 12+sha1.Size || string(pack[:4]) != "PACK" {
		return nil, ErrPack
	}
	version, count := binary.BigEndian.Uint32(pack[4:]), int(binary.BigEndian.Uint32(pack[8:]))
	body, sum := pack[:len(pack)-sha1.Size], sha1.Sum(pack[:len(pack)-sha1.Size]) // #nosec G401
	if version != 2 && version != 3 || !bytes.Equal(sum[:], pack[len(body):]) || count > len(body) {
		return nil, ErrPack
	}
	p := &packing{limits: limits, left: limits.Bytes, names: map[string]int{}, over: map[int][]int{}, overRef: map[string][]int{}}
	places := map[int]int{} // by the offset
	in := bytes.NewReader(body[12:])
	for i := range count {
		at := len(body) - in.Len()
		places[at] = i
		if err := p.read(in, at, i, places, base); err != nil {
			return nil, err
		}
	}
	if in.Len() > 0 {
		return nil, ErrPack
	}
	all := make([]Object, count)
	for i, o := range p.objects {
		if o == nil {
			return nil, ErrBase
		}
		all[i] = *o
	}
	return all, nil
}

// read reads the object at a place.
func (p *packing) read(in *bytes.Reader, at, place int, places map[int]int, base func(string) (Object, bool)) error {
	p.objects, p.deltas = append(p.objects, nil), append(p.deltas, delta{base: -1})
	kind, size, err := header(in)
	if err != nil {
		return err
	}
	d := &p.deltas[place]
	switch kind {
	case packOffDelta:
		back, err := offset(in)
		if err != nil {
			return err
		}
		found, ok := places[at-back]
		if !ok || back <= 0 {
			return ErrPack
		}
		d.base = found
	case packRefDelta:
		var name [sha1.Size]byte
		if _, err := io.ReadFull(in, name[:]); err != nil {
			return ErrPack
		}
		d.name = hex.EncodeToString(name[:])
	default:
		if unpacked(kind) == "" {
			return ErrPack
		}
	}
	data, err := p.inflate(in, size)
	if err != nil {
		return err
	}
	if name := unpacked(kind); name != "" {
		return p.found(place, Object{name, data})
	}
	d.data = data
	if d.name != "" {
		if i, here := p.names[d.name]; here {
			d.base = i
		} else if o, ok := base(d.name); ok {
			return p.lay(place, o)
		} else {
			p.overRef[d.name] = append(p.overRef[d.name], place)
			return nil
		}
	}
	if o := p.objects[d.base]; o != nil {
		return p.lay(place, *o)
	}
	p.over[d.base] = append(p.over[d.base], place)
	return nil
}

// lay lays a delta over an object.
func (p *packing) lay(place int, over Object) error {
	data, err := p.apply(over.Data, p.deltas[place].data)
	if err != nil {
		return err
	}
	return p.found(place, Object{over.Kind, data})
}

// found takes an object, and then those that waited for it.
func (p *packing) found(place int, o Object) error {
	type one struct {
		place int
		o     Object
	}
	for todo := []one{{place, o}}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		name := next.o.Name()
		p.objects[next.place], p.names[name] = &next.o, next.place
		p.deltas[next.place].data = nil
		waiting := append(p.over[next.place], p.overRef[name]...)
		delete(p.over, next.place)
		delete(p.overRef, name)
		for _, i := range waiting {
			data, err := p.apply(next.o.Data, p.deltas[i].data)
			if err != nil {
				return err
			}
			todo = append(todo, one{i, Object{next.o.Kind, data}})
		}
	}
	return nil
}

// room takes bytes that are about to be made off what may be.
func (p *packing) room(size int) error {
	if size < 0 || size > p.left {
		return ErrTooMuch
	}
	p.left -= size
	if p.limits.Spend != nil {
		p.limits.Spend(size)
	}
	return nil
}

func (p *packing) inflate(in *bytes.Reader, size int) ([]byte, error) {
	if err := p.room(size); err != nil {
		return nil, err
	}
	stream, err := zlib.NewReader(in) // reads no byte too many: in is an io.ByteReader
	if err != nil {
		return nil, errors.Join(ErrPack, err)
	}
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(stream, int64(size)+1))
	if err != nil || n != int64(size) {
		return nil, errors.Join(ErrPack, err)
	}
	return out.Bytes(), nil
}

// header reads the kind of an object, and how long it is.
func header(in io.ByteReader) (kind byte, size int, err error) {
	b, err := in.ReadByte()
	if err != nil {
		return 0, 0, ErrPack
	}
	kind, size = b>>4&7, int(b&15)
	for shift := 4; b&0x80 != 0; shift += 7 {
		if b, err = in.ReadByte(); err != nil || shift > 32 {
			return 0, 0, ErrPack
		}
		size |= int(b&127) << shift
	}
	return kind, size, nil
}

// offset reads how far back the base of a delta is.
func offset(in io.ByteReader) (int, error) {
	b, err := in.ReadByte()
	if err != nil {
		return 0, ErrPack
	}
	back := int(b & 127)
	for i := 0; b&0x80 != 0; i++ {
		if b, err = in.ReadByte(); err != nil || i > 6 {
			return 0, ErrPack
		}
		back = (back+1)<<7 | int(b&127)
	}
	return back, nil
}
