//go:build unix

package journal

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unsafe"

	sqlite3 "modernc.org/sqlite/lib"
)

// A disk writes down what SQLite does to the files of a folder, so that a test
// can make what would be left of them after a loss of power: what was synced,
// and of the rest all, nothing, or any part.
//
//	SQLite ─► xWrite, xTruncate, xSync, xDelete ─► the real file
//	                    └► log ─► leftAt(moment) ─► files as a disk may have them
type disk struct {
	dir  string
	base map[string][]byte // the files before the first operation

	mu    sync.Mutex
	log   []operation
	there map[string]bool // files that have a name now
	fresh map[string]bool // of these, made since the folder was synced
}

type operation struct {
	kind byte // 'w' write, 't' truncate, 's' sync, 'd' delete, 'f' sync of the folder, 'p' a promise was given
	file string
	at   int64 // of a write; of a truncate: the size
	data []byte
	run  string // of a promise
	seq  uint64
}

func (d *disk) add(o operation) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log = append(d.log, o)
	switch o.kind {
	case 'd':
		delete(d.there, o.file)
	case 's':
		if d.fresh[o.file] { // SQLite syncs the folder with the first sync of a file that it made
			d.log = append(d.log, operation{kind: 'f'})
			delete(d.fresh, o.file)
		}
	}
}

func (d *disk) opened(file string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.there[file] {
		d.there[file], d.fresh[file] = true, true
	}
}

// losses are what becomes of operations that were not synced.
var losses = map[string]func() bool{
	"all lost":  func() bool { return false },
	"none lost": func() bool { return true },
	"some lost": func() bool { return rand.IntN(2) == 0 },
}

// leftAt makes a folder of what is left when the power goes after the first n
// operations, and what was promised by then.
func (d *disk) leftAt(t *testing.T, n int, stays func() bool) (dir string, promised map[string]uint64) {
	t.Helper()
	files := maps.Clone(d.base)
	waiting := map[string][]operation{}
	promised = map[string]uint64{}
	for _, o := range d.log[:n] {
		switch o.kind {
		case 'p':
			promised[o.run] = o.seq
		case 's':
			for _, w := range waiting[o.file] {
				w.apply(files)
			}
			delete(waiting, o.file)
		case 'f':
			for file, list := range waiting {
				if i := slices.IndexFunc(list, func(o operation) bool { return o.kind == 'd' }); i >= 0 {
					delete(files, file)
					waiting[file] = list[i+1:]
				}
			}
		default:
			waiting[o.file] = append(waiting[o.file], o)
		}
	}
	for _, list := range waiting {
		for _, o := range list {
			if stays() {
				o.apply(files)
			} else if o.kind == 'd' {
				break // what follows went to a file that has no name
			}
		}
	}
	dir = filepath.Join(t.TempDir(), "s")
	must(t, os.Mkdir(dir, 0o700))
	for name, content := range files {
		must(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	return dir, promised
}

func (o operation) apply(files map[string][]byte) {
	was := files[o.file]
	switch o.kind {
	case 'd':
		delete(files, o.file)
		return
	case 't':
		is := make([]byte, o.at)
		copy(is, was)
		files[o.file] = is
		return
	}
	is := make([]byte, max(int64(len(was)), o.at+int64(len(o.data))))
	copy(is, was)
	copy(is[o.at:], o.data)
	files[o.file] = is
}

// A tap is put between SQLite and its own functions for files. They are reached
// as SQLite's C is: by tables of pointers to functions, which in this build of
// it are Go's own function values.
type tap struct {
	mu      sync.Mutex
	disks   map[string]*disk // by folder
	files   map[uintptr]tapped
	open    func(tls unsafe.Pointer, vfs, name, file uintptr, flags int32, out uintptr) int32
	delete  func(tls unsafe.Pointer, vfs, name uintptr, sync int32) int32
	methods map[uintptr]*sqlite3.Tsqlite3_io_methods // ours, by the one it stands for
}

type tapped struct {
	disk *disk
	name string
	own  *sqlite3.Tsqlite3_io_methods
}

// theTap is put in before any test begins: SQLite has one list of file systems
// for a process, which every other test reads while it runs.
var theTap *tap

func init() {
	db, err := sql.Open("sqlite", ":memory:")
	if err == nil {
		err = errors.Join(db.PingContext(context.Background()), db.Close()) // SQLite has set itself up
	}
	if err != nil {
		panic(err)
	}
	p := &tap{disks: map[string]*disk{}, files: map[uintptr]tapped{}, methods: map[uintptr]*sqlite3.Tsqlite3_io_methods{}}
	vfs := foreign[sqlite3.Tsqlite3_vfs](standard(sqlite3.Xsqlite3_vfs_find))
	p.open = function[func(unsafe.Pointer, uintptr, uintptr, uintptr, int32, uintptr) int32](vfs.FxOpen)
	p.delete = function[func(unsafe.Pointer, uintptr, uintptr, int32) int32](vfs.FxDelete)
	theTap = p
	vfs.FxOpen, vfs.FxDelete = pointer(tapOpen), pointer(tapDelete)
}

// standard asks for the file system that SQLite uses. The call wants the state
// of a thread, of a type from a module that nothing here needs otherwise; one
// as it was made is enough to look a name up.
func standard[T any](find func(*T, uintptr) uintptr) uintptr { return find(new(T), 0) }

// outside copies a table into memory that is not Go's, where SQLite's own are:
// its pointers are numbers, and must not lead into Go's heap.
func outside(table sqlite3.Tsqlite3_io_methods) *sqlite3.Tsqlite3_io_methods {
	page, err := syscall.Mmap(-1, 0, os.Getpagesize(), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	kept := (*sqlite3.Tsqlite3_io_methods)(unsafe.Pointer(&page[0]))
	*kept = table
	return kept
}

// foreign is what an address outside Go's memory points to.
func foreign[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

func function[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) }

func pointer[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

func text0(address uintptr) string {
	start := foreign[byte](address)
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(start), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(start, n))
}

// watch writes down what happens to the files of the folder dir from now on.
func watch(t *testing.T, dir string) *disk {
	t.Helper()
	d := &disk{dir: dir, base: map[string][]byte{}, there: map[string]bool{FileName: true}, fresh: map[string]bool{}}
	content, err := os.ReadFile(filepath.Join(dir, FileName))
	must(t, err)
	d.base[FileName] = content
	p := theTap
	p.mu.Lock()
	defer p.mu.Unlock()
	p.disks[dir] = d
	return d
}

// of finds the disk that a path is on; only the journal's own files count.
func (p *tap) of(path string) (*disk, string) {
	d := p.disks[filepath.Dir(path)]
	name := filepath.Base(path)
	if d == nil || !strings.HasPrefix(name, FileName) {
		return nil, ""
	}
	return d, name
}

func tapOpen(tls unsafe.Pointer, vfs, name, file uintptr, flags int32, out uintptr) int32 {
	p := theTap
	rc := p.open(tls, vfs, name, file, flags, out)
	if rc != sqlite3.SQLITE_OK || name == 0 {
		return rc
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	d, base := p.of(text0(name))
	if d == nil {
		return rc
	}
	f := foreign[sqlite3.Tsqlite3_file](file)
	own := foreign[sqlite3.Tsqlite3_io_methods](f.FpMethods)
	ours := p.methods[f.FpMethods]
	if ours == nil {
		ours = outside(*own)
		ours.FxWrite, ours.FxTruncate, ours.FxSync, ours.FxClose = pointer(tapWrite), pointer(tapTruncate), pointer(tapSync), pointer(tapClose)
		p.methods[f.FpMethods] = ours
	}
	d.opened(base)
	p.files[file] = tapped{d, base, own}
	f.FpMethods = uintptr(unsafe.Pointer(ours))
	return rc
}

func (p *tap) at(file uintptr) tapped {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.files[file]
}

func tapWrite(tls unsafe.Pointer, file, data uintptr, size int32, at int64) int32 {
	f := theTap.at(file)
	rc := function[func(unsafe.Pointer, uintptr, uintptr, int32, int64) int32](f.own.FxWrite)(tls, file, data, size, at)
	f.disk.add(operation{kind: 'w', file: f.name, at: at, data: append([]byte(nil), unsafe.Slice(foreign[byte](data), size)...)})
	return rc
}

func tapTruncate(tls unsafe.Pointer, file uintptr, size int64) int32 {
	f := theTap.at(file)
	f.disk.add(operation{kind: 't', file: f.name, at: size})
	return function[func(unsafe.Pointer, uintptr, int64) int32](f.own.FxTruncate)(tls, file, size)
}

func tapSync(tls unsafe.Pointer, file uintptr, flags int32) int32 {
	f := theTap.at(file)
	f.disk.add(operation{kind: 's', file: f.name})
	return function[func(unsafe.Pointer, uintptr, int32) int32](f.own.FxSync)(tls, file, flags)
}

func tapClose(tls unsafe.Pointer, file uintptr) int32 {
	p := theTap
	p.mu.Lock()
	f := p.files[file]
	delete(p.files, file)
	p.mu.Unlock()
	return function[func(unsafe.Pointer, uintptr) int32](f.own.FxClose)(tls, file)
}

func tapDelete(tls unsafe.Pointer, vfs, name uintptr, sync int32) int32 {
	p := theTap
	p.mu.Lock()
	d, base := p.of(text0(name))
	p.mu.Unlock()
	if d != nil {
		d.add(operation{kind: 'd', file: base})
	}
	return p.delete(tls, vfs, name, sync)
}
