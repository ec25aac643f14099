package journal

import "errors"

// solo is a store with one run, r-1.
type solo struct {
	*Store
	*Writer
}

// one is the record of r-1, read from outside.
type one struct {
	*Reader
	*Record
}

func createOne(dir string, o Options) (*solo, error) {
	s, err := Create(dir, o)
	if err != nil {
		return nil, err
	}
	return begun(s)
}

func begun(s *Store) (*solo, error) {
	w, err := s.Begin("r-1", Origin{})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &solo{s, w}, nil
}

func reopenOne(dir string, o Options) (*solo, error) {
	s, err := Reopen(dir, o)
	if err != nil {
		return nil, err
	}
	w, err := s.Resume("r-1")
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &solo{s, w}, nil
}

func openOne(dir string) (*one, error) {
	r, err := Open(dir)
	if err != nil {
		return nil, err
	}
	rec, err := r.Read("r-1")
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return &one{r, rec}, nil
}

// newSolo is a store over a backend of the test's own, with one run.
func newSolo(o Options, b backend) *solo {
	s, err := begun(newStore(o, b, newMemory(), 1, resumed{}))
	if err != nil {
		panic(err)
	}
	return s
}
