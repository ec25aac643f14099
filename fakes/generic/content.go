package generic

import (
	"bytes"
	"io/fs"
	"time"
)

// A content is a file system with one file.
type content struct {
	name string
	data []byte
}

// Open gives the file.
func (c content) Open(name string) (fs.File, error) {
	if name != c.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &opened{content: c, Reader: bytes.NewReader(c.data)}, nil
}

// opened is the file; it describes itself.
type opened struct {
	content
	*bytes.Reader
}

func (o *opened) Stat() (fs.FileInfo, error) { return o, nil }
func (o *opened) Close() error               { return nil }
func (o *opened) Name() string               { return o.name }
func (o *opened) Size() int64                { return int64(len(o.data)) }
func (o *opened) Mode() fs.FileMode          { return 0o444 }
func (o *opened) ModTime() time.Time         { return time.Time{} }
func (o *opened) IsDir() bool                { return false }
func (o *opened) Sys() any                   { return nil }
