package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// A Writer appends to one run. It is safe for concurrent use.
//
// One goroutine belongs to it, which ends in Close.
type Writer struct {
	run   string
	o     Options
	store store
	epoch uint64
	clean bool

	kick  chan struct{} // there is something to write
	hurry chan struct{} // it is not to wait for more
	stop  chan struct{} // closed by Close
	done  chan struct{} // closed when the goroutine has ended; closing is set by then

	mu        sync.Mutex
	next      batch         // what the next transaction keeps
	spare     []Entry       // an emptied slice, to be used again
	last      uint64        // newest event appended
	committed uint64        // newest event kept
	total     int64         // bytes of the run, kept or not
	backlog   int64         // bytes that no transaction has kept yet
	taken     uint64        // batches handed to the store
	kept      uint64        // of these, committed
	turn      chan struct{} // closed and renewed whenever the fields above get better, or err is set
	err       error         // why nothing is accepted any more
	broken    error         // what the store said, once a batch was not kept
	closed    error         // what Close gives
	ending    sync.Once
}

// Create makes the run in the folder dir, which is made too, and takes it for
// writing. The folder's name is the run's.
//
// Its error wraps fs.ErrExist where the run is there already, *BusyError where
// another process is just making it, and ErrName.
func Create(dir string, o Options) (*Writer, error) {
	run := filepath.Base(dir)
	if !ValidName(run) {
		return nil, fmt.Errorf("run %q: %w", run, ErrName)
	}
	if err := makeFolder(dir); err != nil {
		return nil, fmt.Errorf("run %s: %w", run, err)
	}
	return start(dir, o, true)
}

// Reopen takes the run in dir for writing again, in a new epoch. Nothing that
// is kept is changed; the next event is Last()+1.
//
// Its error wraps fs.ErrNotExist, *BusyError where another process writes it,
// *NewerError, and *DamagedError: a run whose end is damaged is not written on.
func Reopen(dir string, o Options) (*Writer, error) {
	if err := find(dir); err != nil {
		return nil, err
	}
	return start(dir, o, false)
}

func start(dir string, o Options, fresh bool) (*Writer, error) {
	o = o.withDefaults()
	d, had, err := openDatabase(context.Background(), dir, o, fresh)
	if err != nil {
		return nil, err
	}
	if o.Durability == Sync {
		if err := syncFolders(dir); err != nil {
			return nil, errors.Join(fmt.Errorf("run %s: %w", filepath.Base(dir), err), d.close(false))
		}
	}
	return newWriter(filepath.Base(dir), o, d, d.epoch, had), nil
}

func newWriter(run string, o Options, s store, epoch uint64, had resumed) *Writer {
	w := &Writer{
		run: run, o: o, store: s, epoch: epoch, clean: had.clean,
		last: had.last, committed: had.last, total: had.bytes,
		kick: make(chan struct{}, 1), hurry: make(chan struct{}, 1),
		stop: make(chan struct{}), done: make(chan struct{}), turn: make(chan struct{}),
	}
	go w.loop()
	return w
}

// makeFolder makes dir and those above it. Others may not look into it: it
// holds what agents sent.
func makeFolder(dir string) error {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(parent)
	if err != nil {
		return err
	}
	defer root.Close()
	run := filepath.Base(dir)
	if err := root.Mkdir(run, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	_, err = root.Lstat(filepath.Join(run, fileName))
	switch {
	case err == nil:
		return fmt.Errorf("its journal is there already; choose another name: %w", fs.ErrExist)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// syncFolders makes the names of a new run's files last: without it a loss of
// power can leave a journal whose blocks are on disk and whose name is not.
func syncFolders(dir string) error {
	for _, d := range []string{dir, filepath.Dir(dir)} {
		f, err := os.Open(d)
		if err != nil {
			return err
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Run is the run's name.
func (w *Writer) Run() string { return w.run }

// Epoch is how many times the run was opened for writing, this one included.
// After an unclean end it has to be mixed into new ids, or they could repeat
// some that were given out and then lost.
func (w *Writer) Epoch() uint64 { return w.epoch }

// Clean tells whether the epoch before this one ended by Close. It is false in
// the first epoch.
func (w *Writer) Clean() bool { return w.clean }

// Last is the newest event appended, or 0.
func (w *Writer) Last() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last
}

// Backlog is how many bytes no transaction has kept yet.
func (w *Writer) Backlog() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.backlog
}

// Append takes e, which has to follow the event before it; it does no I/O. What
// it refuses is not in the run: its error wraps ErrFull, ErrClosed, ErrOrder, or
// says why an earlier event could not be written.
func (w *Writer) Append(e Entry) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	if e.Seq != w.last+1 || !validSeq(e.Seq) {
		return orderError(w.run, e.Seq, w.last)
	}
	size := int64(frameSize(e.Data))
	if err := w.room(size); err != nil {
		return err
	}
	w.last = e.Seq
	w.next.entries = append(w.next.entries, e)
	w.took(size)
	return nil
}

// Settle takes what became of an event on the wire; it does no I/O. The bounds
// do not apply to it: there are only as many as events that were let in, and
// refusing one would make a known end unknown.
func (w *Writer) Settle(s Settlement) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	if s.Of == 0 || s.Of > w.last {
		return fmt.Errorf("run %s: %w: settlement of event %d, and the newest is %d; report this, it is a defect of Parity", w.run, ErrOrder, s.Of, w.last)
	}
	w.next.settlements = append(w.next.settlements, s)
	w.took(int64(frameSize(s.Data)))
	return nil
}

// Revision keeps a profile text under its hash; one that is there already is
// kept as it was. It is written no later than the events appended after it.
func (w *Writer) Revision(hash string, content []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	size := int64(len(hash) + len(content))
	if err := w.room(size); err != nil {
		return err
	}
	w.next.revisions = append(w.next.revisions, Revision{Hash: hash, Content: content, AtSeq: w.last + 1})
	w.took(size)
	return nil
}

// SetMeta keeps what is to be told about the run as a whole: its seed, say. A
// key that is there already gets the new value.
func (w *Writer) SetMeta(meta map[string]string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	var size int64
	for key, value := range meta {
		size += int64(len(key) + len(value))
	}
	if err := w.room(size); err != nil {
		return err
	}
	for key, value := range meta {
		w.next.setMeta(key, value)
	}
	w.took(size)
	return nil
}

// room tells whether size more bytes are within the bounds. w.mu is held.
func (w *Writer) room(size int64) error {
	if w.backlog+size > w.o.MaxBacklog {
		return fullError(w.run, "backlog", w.o.MaxBacklog)
	}
	if w.total+size > w.o.MaxBytes {
		return fullError(w.run, "journal", w.o.MaxBytes)
	}
	return nil
}

// took counts what was put into next, and wakes the goroutine. w.mu is held.
func (w *Writer) took(size int64) {
	w.next.bytes += size
	w.backlog += size
	w.total += size
	signal(w.kick)
	if w.next.bytes >= int64(w.o.FlushBytes) {
		signal(w.hurry)
	}
}

// signal wakes whoever waits on c, now or later; one signal is enough.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
