package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// A Store keeps runs. It is safe for concurrent use.
//
// One goroutine belongs to it, which ends in Close.
type Store struct {
	o      Options
	back   backend
	source source
	epoch  uint64
	clean  bool

	kick  chan struct{} // there is something to write
	hurry chan struct{} // it is not to wait for more
	stop  chan struct{} // closed by Close
	done  chan struct{} // closed when the goroutine has ended; closing is set by then

	mu       sync.Mutex
	runs     map[string]*Writer // those that are not removed, by name
	newest   int64              // id of the newest run there ever was
	texts    map[string]*text   // the profile texts that runs are under, by hash
	changed  []*Writer          // those with a part, and some that have lost it
	purged   []int64            // runs that the next transaction forgets
	dropped  []string           // texts that it forgets
	waiting  int64              // bytes of all parts
	slabs    slabs              // where the events and settlements of all parts are
	total    int64              // bytes of all runs, as Writer.total
	packing  packing            // what frames come to when they are written
	expected int64              // of total, what is only expected of frames that are not
	backlog  int64              // bytes that no transaction has kept yet
	noted    uint64             // how many times something was taken in
	kept     uint64             // noted, of the newest that is kept
	disk     onDisk
	turn     chan struct{} // closed and renewed whenever the fields above get better, or err is set
	err      error         // why nothing is accepted
	broken   error         // what the backend said, while a batch is not kept
	closed   error         // what Close gives
	finished bool          // nothing is written any more
	ending   sync.Once
}

// Create makes a store in the folder dir, which is made too, and takes it for
// writing.
//
// Its error wraps fs.ErrExist where there is one already, and *BusyError where
// another process is just making it.
func Create(dir string, o Options) (*Store, error) {
	above, err := makeFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", dir, err)
	}
	s, err := start(dir, o, true)
	if err == nil && o.Durability == Sync {
		if err = syncFolders(dir, above); err != nil {
			err = errors.Join(fmt.Errorf("store %s: %w", dir, err), s.Close())
		}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Reopen takes the store in dir for writing again, in a new epoch. Nothing that
// is kept is changed.
//
// Its error wraps fs.ErrNotExist, *BusyError where another process writes it,
// *NewerError, *OlderError, and *DamagedError.
func Reopen(dir string, o Options) (*Store, error) {
	if err := find(dir); err != nil {
		return nil, err
	}
	return start(dir, o, false)
}

// InMemory makes a store that is never on disk. Its promise is that of the
// process; at its bounds it refuses, as one on disk does.
func InMemory(o Options) *Store {
	o.MaxStore = cmp.Or(o.MaxStore, DefaultMemory)
	m := newMemory()
	return newStore(o.withDefaults(), m, m, 1, resumed{})
}

func start(dir string, o Options, fresh bool) (*Store, error) {
	o = o.withDefaults()
	d, had, err := openDatabase(context.Background(), dir, o, fresh)
	if err != nil {
		return nil, err
	}
	return newStore(o, d, d.shelf, d.epoch, had), nil
}

func newStore(o Options, back backend, from source, epoch uint64, had resumed) *Store {
	s := &Store{
		o: o, back: back, source: from, epoch: epoch, clean: had.clean, newest: had.newest,
		runs: map[string]*Writer{}, texts: map[string]*text{},
		kick: make(chan struct{}, 1), hurry: make(chan struct{}, 1),
		stop: make(chan struct{}), done: make(chan struct{}), turn: make(chan struct{}),
	}
	for _, w := range had.runs {
		w.store = s
		s.total += w.total
		for _, t := range had.texts[w.id] {
			w.texts = append(w.texts, s.under(t.hash, t.size))
			s.total -= t.size // it is counted once, in under
		}
		if !w.gone {
			s.runs[w.name] = w
		}
	}
	go s.loop()
	return s
}

// makeFolder makes dir and those above it, and tells which of these was there
// before. Others may not look into it: it holds what agents sent.
func makeFolder(dir string) (above string, err error) {
	parent := filepath.Dir(dir)
	for above = parent; above != filepath.Dir(above); above = filepath.Dir(above) {
		if _, err := os.Lstat(above); err == nil {
			break
		}
	}
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return "", err
	}
	root, err := os.OpenRoot(parent)
	if err != nil {
		return "", err
	}
	defer root.Close()
	name := filepath.Base(dir)
	if err := root.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	_, err = root.Lstat(filepath.Join(name, FileName))
	switch {
	case err == nil:
		return "", fmt.Errorf("its journal is there already; choose another folder: %w", fs.ErrExist)
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	return above, nil
}

// syncFolders makes the names of a new store's folders and files last: without
// it a loss of power can leave a journal that is on disk and has no name.
func syncFolders(dir, above string) error {
	for {
		if err := syncFile(dir); err != nil {
			return err
		}
		if dir == above || dir == filepath.Dir(dir) {
			return nil
		}
		dir = filepath.Dir(dir)
	}
}

// Epoch is how many times the store was opened for writing, this one included.
// After an unclean end it has to be mixed into new ids, or they could repeat
// some that were given out and then lost.
func (s *Store) Epoch() uint64 { return s.epoch }

// Clean tells whether the epoch before this one ended by Close. It is false in
// the first epoch.
func (s *Store) Clean() bool { return s.clean }

// Backlog is how many bytes no transaction has kept yet.
func (s *Store) Backlog() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.backlog
}

// Bytes is how many bytes the store keeps of all runs, packed as they are kept.
func (s *Store) Bytes() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total
}

// Begin makes a run; it does no I/O. Its error wraps fs.ErrExist where the name
// is taken, ErrName, fs.ErrNotExist where its base is not there, and ErrFull.
func (s *Store) Begin(run string, from Origin) (*Writer, error) {
	if !NewName(run) {
		return nil, fmt.Errorf("run %q: %w", run, ErrName)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil, s.err
	}
	if s.runs[run] != nil {
		return nil, fmt.Errorf("run %s: %w: choose another name, or remove that run", run, fs.ErrExist)
	}
	w := &Writer{store: s, name: run, made: s.o.Clock.Now()}
	if from.Base != "" {
		base := s.runs[from.Base]
		if base == nil {
			return nil, fmt.Errorf("run %s: %w: there is nothing to fork", from.Base, fs.ErrNotExist)
		}
		if from.Seq > base.last || from.Seq == 0 {
			return nil, fmt.Errorf("run %s has no event %d: its events are 1 to %d; fork it at one of these", from.Base, from.Seq, base.last)
		}
		// The run whose own event it is: what a fork of a fork builds on may
		// lie before that one's own events.
		for from.Seq <= base.from && base.base != nil {
			base = base.base
		}
		w.base, w.from, w.last, w.committed = base, from.Seq, from.Seq, from.Seq
	}
	size := runSize(run)
	if err := w.room(size, size, size); err != nil {
		return nil, err
	}
	if w.base != nil {
		w.base.forks++
	}
	s.newest++
	w.id = s.newest
	s.runs[run] = w
	w.part().row = w.row()
	w.took(size)
	return w, nil
}

// runSize is what a run counts for before there is anything in it: about what
// it costs in memory.
func runSize(name string) int64 { return 256 + int64(len(name)) }

// Resume takes a run of an earlier epoch to go on with. Its error wraps
// fs.ErrNotExist, ErrEnded, or *DamagedError: a run whose end is damaged is not
// written on.
func (s *Store) Resume(run string) (*Writer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.runs[run]
	if w == nil {
		return nil, fmt.Errorf("run %s: %w", run, fs.ErrNotExist)
	}
	if err := w.open(); err != nil {
		return nil, err
	}
	return w, nil
}

// Runs lists the runs there are, oldest first.
func (s *Store) Runs() []Info {
	type listed struct {
		id   int64
		info Info
	}
	s.mu.Lock()
	list := make([]listed, 0, len(s.runs))
	for _, w := range s.runs {
		list = append(list, listed{w.id, w.info()})
	}
	s.mu.Unlock()
	slices.SortFunc(list, func(a, b listed) int { return cmp.Compare(a.id, b.id) })
	infos := make([]Info, len(list))
	for i, l := range list {
		infos[i] = l.info
	}
	return infos
}

// Count is how many runs there are.
func (s *Store) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.runs)
}

// Run tells about one run.
func (s *Store) Run(run string) (Info, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.runs[run]
	if w == nil {
		return Info{}, false
	}
	return w.info(), true
}

// Read gives the record of a run, with all that was appended so far: it waits
// until that is written. Its error wraps fs.ErrNotExist, or says why something
// of the run could not be written.
func (s *Store) Read(run string) (*Record, error) {
	r, upto, err := s.record(run)
	if err != nil {
		return nil, err
	}
	if err := s.keep(context.Background(), upto, false); err != nil {
		return nil, fmt.Errorf("run %s: %w", run, err)
	}
	return r, nil
}

// record makes the record of a run as it is now, and tells what has to be kept
// before it can be read.
func (s *Store) record(run string) (r *Record, upto uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.runs[run]
	if w == nil {
		return nil, 0, fmt.Errorf("run %s: %w", run, fs.ErrNotExist)
	}
	r = &Record{info: w.info(), source: s.source}
	to := w.last
	for ; w != nil; w = w.base {
		r.lines = append(r.lines, line{run: w.id, from: w.from, to: to, told: true, final: true})
		to, upto = w.from, max(upto, w.noted)
	}
	slices.Reverse(r.lines)
	return r, upto, nil
}
