package gitwire

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1" // #nosec G505 -- git's names of objects
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
)

// The kinds of objects.
const (
	Blob   = "blob"
	Tree   = "tree"
	Commit = "commit"
	Tag    = "tag"
)

// An Object is what a name stands for.
type Object struct {
	Kind string
	Data []byte
}

// Name is the object's own.
func (o Object) Name() string {
	h := sha1.New() // #nosec G401
	fmt.Fprintf(h, "%s %d\x00", o.Kind, len(o.Data))
	h.Write(o.Data)
	return hex.EncodeToString(h.Sum(nil))
}

// Numbers of kinds in packs.
const (
	packCommit   = 1
	packTree     = 2
	packBlob     = 3
	packTag      = 4
	packOffDelta = 6
	packRefDelta = 7
)

func packed(kind string) byte {
	switch kind {
	case Commit:
		return packCommit
	case Tree:
		return packTree
	case Tag:
		return packTag
	}
	return packBlob
}

func unpacked(number byte) string {
	switch number {
	case packCommit:
		return Commit
	case packTree:
		return Tree
	case packTag:
		return Tag
	case packBlob:
		return Blob
	}
	return ""
}

// Pack writes objects whole, without deltas, one after another.
func Pack(objects []Object) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("PACK")
	head := binary.BigEndian.AppendUint32(nil, 2)
	out.Write(binary.BigEndian.AppendUint32(head, uint32(len(objects)))) // #nosec G115 -- they fit memory
	squeeze := zlib.NewWriter(io.Discard)
	for _, o := range objects {
		size := len(o.Data)
		b := packed(o.Kind)<<4 | byte(size&15)
		for size >>= 4; size > 0; size >>= 7 {
			out.WriteByte(b | 0x80)
			b = byte(size & 127)
		}
		out.WriteByte(b)
		squeeze.Reset(&out)
		if _, err := squeeze.Write(o.Data); err != nil {
			return nil, err
		}
		if err := squeeze.Close(); err != nil {
			return nil, err
		}
	}
	sum := sha1.Sum(out.Bytes()) // #nosec G401
	out.Write(sum[:])
	return out.Bytes(), nil
}
