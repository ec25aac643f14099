// Package file reads files that somebody names, and nothing that never ends; and
// writes files whole or not at all.
//
//	profile.yaml ─▶ its bytes
//	a pipe, a device, a socket, a folder ─▶ an error
//	a file of 80 GB ─▶ an error
//	/dev/stdin, /dev/fd/63 ─▶ what comes from there, a pipe too
//
// A pipe without a writer is waited for when it is opened, and a device such as
// /dev/zero has no end: both would hold a command that was only mistyped.
package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// Most is how many bytes are read of what is small by its nature: a lock file,
// certificates, a gateway's own settings.
const Most = 16 << 20

// What can be wrong with a file that is there.
var (
	ErrFolder = errors.New("this is a folder; name a file in it")
	ErrKind   = errors.New("this is not a regular file")
)

// A TooLargeError says that a file has more than may be read.
type TooLargeError struct{ Most int64 }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("this has more than %d bytes, which is the most that is read", e.Most)
}

// Open opens a regular file to be read.
func Open(name string) (*os.File, error) { return regular(name, os.Stat, os.OpenFile) }

// handed tells whether a name stands for a file that is open already.
func handed(name string) bool { return name == "/dev/stdin" || strings.HasPrefix(name, "/dev/fd/") }

// OpenIn opens a regular file within root.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	return regular(name, root.Stat, root.OpenFile)
}

func regular(name string, stat func(string) (fs.FileInfo, error), open func(string, int, fs.FileMode) (*os.File, error)) (*os.File, error) {
	info, err := stat(name) // a device can do something when it is opened
	if err != nil {
		return nil, err
	}
	if err := kind(name, info); err != nil {
		return nil, err
	}
	f, err := open(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil { // it may be another one by now
		err = kind(name, info)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func kind(name string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return &fs.PathError{Op: "read", Path: name, Err: ErrFolder}
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "read", Path: name, Err: ErrKind}
	}
	return nil
}

// Read reads all of a file that Open opens, or of what the process was handed as
// /dev/stdin or /dev/fd/N. Its error wraps *TooLargeError where that has more
// than most bytes.
func Read(name string, most int64) ([]byte, error) {
	open := Open
	if handed(name) {
		open = os.Open
	}
	f, err := open(name)
	return all(f, err, most)
}

// ReadIn reads all of a file that OpenIn opens, as Read does.
func ReadIn(root *os.Root, name string, most int64) ([]byte, error) {
	f, err := OpenIn(root, name)
	return all(f, err, most)
}

func all(f *os.File, err error, most int64) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		b.Grow(int(min(info.Size(), most)) + bytes.MinRead) // at once, where it would be copied time and again
	}
	_, err = b.ReadFrom(io.LimitReader(f, most+1))
	content := b.Bytes()
	if err == nil && int64(len(content)) > most {
		err = &fs.PathError{Op: "read", Path: f.Name(), Err: &TooLargeError{most}}
	}
	if err != nil {
		return nil, err
	}
	return content, nil
}
