package document

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// packedAs is what a packed document begins with; another way to pack has
// another number.
const packedAs = "parity document 1\n"

// apartFrom is how many values a part of a packed document has that is read
// when somebody looks into it, and not with what is around it. Less than that is
// read as fast as it is put off.
const apartFrom = 12

// A pack is a document in a form that is read a part at a time.
//
//	packedAs │ file │ texts │ parts: nodes by breadth, large ones as where their part begins
//
// Texts point into it: nothing of it is copied.
type pack struct {
	file  *file
	texts string
	parts string
}

// later is what an object or an array holds that has not been looked into yet.
type later struct {
	pack *pack
	at   int // in the pack's parts

	reading sync.Once
	kids    []Node
}

func (l *later) read() []Node {
	l.reading.Do(func() { l.kids = l.pack.part(l.at) })
	return l.kids
}

// Pack writes a document of one file in a form that Unpack reads without
// parsing it, and no more of it than is asked for.
func (d *Document) Pack() ([]byte, error) {
	f := d.files[d.name]
	switch {
	case len(d.files) > 1 || len(d.problems) > 0 || !f.yaml:
		return nil, errors.New("only a document of one YAML file without problems is packed")
	case len(f.ids) > 0:
		return nil, errors.New("a document whose schemas have an $id is not packed: who looks for one looks at all of them")
	}
	p := packer{known: map[string]int{}}
	root := p.part([]Node{f.root})
	out := []byte(packedAs)
	out = appendText(out, f.name)
	out = binary.AppendUvarint(out, uint64(f.size))
	out = append(out, f.sum[:]...)
	out = binary.AppendUvarint(out, uint64(root))
	out = appendText(out, string(p.texts))
	return append(out, p.parts...), nil
}

func appendText(out []byte, text string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}

type packer struct {
	texts []byte
	known map[string]int // where a text is in texts
	parts []byte
}

// part writes nodes with all that they hold, and gives where.
func (p *packer) part(nodes []Node) int {
	level := slices.Clone(nodes)
	var apart []int // where the parts of those are that are read later, in their order
	for i := 0; i < len(level); i++ {
		if n := &level[i]; i >= len(nodes) && len(n.kids) > 0 && n.Size() >= apartFrom {
			apart = append(apart, p.part(n.kids))
		} else {
			level = append(level, n.kids...)
		}
	}
	at := len(p.parts)
	p.number(len(nodes))
	p.number(len(level))
	p.number(len(apart))
	line := 0
	for i := range level {
		n := &level[i]
		large := i >= len(nodes) && len(n.kids) > 0 && n.Size() >= apartFrom
		kind := byte(n.kind)
		if large {
			kind |= readLater
		}
		p.parts = append(p.parts, kind)
		p.text(n.Name)
		switch {
		case large:
			p.number(apart[0])
			apart = apart[1:]
		case n.kind == Object || n.kind == Array:
			p.number(len(n.kids))
		default:
			p.text(n.text)
		}
		p.parts = binary.AppendVarint(p.parts, int64(int(n.at>>columnBits)-line))
		line = int(n.at >> columnBits)
		p.number(int(n.at & (1<<columnBits - 1)))
	}
	return at
}

// readLater marks the kind of a node whose part is read when it is looked into.
const readLater = 0x80

func (p *packer) number(n int) { p.parts = binary.AppendUvarint(p.parts, uint64(n)) }

func (p *packer) text(text string) {
	at, ok := p.known[text]
	if !ok {
		at = len(p.texts)
		p.known[text] = at
		p.texts = append(p.texts, text...)
	}
	p.number(len(text))
	if text != "" {
		p.number(at)
	}
}

// Unpack gives a document that was packed. It is for documents that the program
// itself carries: one that is damaged panics, here or when it is looked into.
func Unpack(packed string) (*Document, error) {
	rest, ok := strings.CutPrefix(packed, packedAs)
	if !ok {
		return nil, fmt.Errorf("this is not packed as %q: generate it again", strings.TrimSpace(packedAs))
	}
	r := unpacker{pack: &pack{file: &file{yaml: true}, parts: rest}}
	f := r.pack.file
	f.name = r.own()
	f.size = r.number()
	r.at += copy(f.sum[:], rest[r.at:])
	root := r.number()
	r.pack.texts = r.own()
	r.pack.parts = rest[r.at:]
	f.root = r.pack.part(root)[0]
	return &Document{name: f.name, files: map[string]*file{f.name: f}, known: map[target]found{}}, nil
}

// part reads nodes, with what they hold that is small.
func (p *pack) part(at int) []Node {
	r := unpacker{pack: p, at: at}
	top, all, apart := r.number(), r.number(), r.number()
	nodes, waiting := make([]Node, all), make([]later, apart)
	next, line := top, 0
	for i := range nodes {
		n := &nodes[i]
		kind := p.parts[r.at]
		r.at++
		n.file, n.kind = p.file, Kind(kind&^readLater)
		n.Name = r.text()
		switch {
		case kind&readLater != 0:
			waiting[0].pack, waiting[0].at = p, r.number()
			n.later, waiting = &waiting[0], waiting[1:]
		case n.kind == Object || n.kind == Array:
			kids := r.number()
			n.kids = nodes[next : next+kids : next+kids]
			next += kids
		default:
			n.text = r.text()
		}
		line += r.difference()
		n.at = uint32(line)<<columnBits | uint32(r.number()) // as it was packed
	}
	return nodes[:top:top]
}

// An unpacker reads the parts of a pack from some place on.
type unpacker struct {
	pack *pack
	at   int
}

func (r *unpacker) number() int {
	if b := r.pack.parts[r.at]; b < 0x80 { // nearly all of them
		r.at++
		return int(b)
	}
	n, shift := 0, 0
	for {
		b := r.pack.parts[r.at]
		r.at++
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
		shift += 7
	}
}

// difference reads a number that may be below zero.
func (r *unpacker) difference() int {
	n := r.number()
	return n>>1 ^ -(n & 1)
}

// own reads a text that stands right here.
func (r *unpacker) own() string {
	size := r.number()
	r.at += size
	return r.pack.parts[r.at-size : r.at]
}

// text reads where a text is among the texts.
func (r *unpacker) text() string {
	size := r.number()
	if size == 0 {
		return ""
	}
	at := r.number()
	return r.pack.texts[at : at+size]
}
