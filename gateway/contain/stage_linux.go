package contain

import "golang.org/x/sys/unix"

// A bound is a limit of a process: soft and hard.
type bound struct {
	resource int // such as unix.RLIMIT_NPROC
	most     uint64
}

// failure is a step inside that failed.
type failure struct {
	step string
	err  error
}

func (f *failure) Error() string { return f.step + ": " + f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// failedAt says at which step of the set-up an error came, nil for none.
func failedAt(step string, err error) error {
	if err == nil {
		return nil
	}
	return &failure{step, err}
}

// Stage does what this process was started for, where Open started it: it is then
// the first process inside, or a probe, and Stage does not come back. main and
// TestMain call it before anything else.
func Stage() {}

// inside is what PID 1 does, in this order.
func inside(o Options) error {
	for _, step := range []func(Options) error{enter, confine} {
		if err := step(o); err != nil {
			return err
		}
	}
	for _, b := range bounds(o) {
		if err := unix.Prlimit(0, b.resource, &unix.Rlimit{Cur: b.most, Max: b.most}, nil); err != nil {
			return failedAt("limits", err)
		}
	}
	_, err := probe(nil)
	return err
}

var _ = inside
