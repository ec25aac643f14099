package contain

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

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

// What this binary is called where Open, or PID 1, started it again.
const (
	nameFirst = "parity: first inside"
	nameProbe = "parity: probe inside"
)

// Stage does what this process was started for, where Open started it: it is then
// the first process inside, or a probe, and Stage does not come back. main and
// TestMain call it before anything else.
func Stage() {
	if len(os.Args) != 1 {
		return
	}
	switch os.Args[0] {
	case nameFirst:
		os.Exit(first())
	case nameProbe:
		os.Exit(probing(os.Stdin, os.Stdout))
	}
}

// probing answers on stdout what came on stdin.
func probing(in io.Reader, out io.Writer) int {
	ask, err := io.ReadAll(in)
	if err == nil {
		var answer []byte
		if answer, err = probe(ask); err == nil {
			_, err = out.Write(answer)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// wireFile is where PID 1 has its end of the socket pair.
const wireFile = 3

// first is PID 1: it sets everything up, hands the sockets out, and does what it
// is asked to until the other end is gone, with which all inside ends.
func first() int {
	if err := alone(); err != nil {
		return 1
	}
	w, err := newWire(os.NewFile(wireFile, "wire"))
	if err != nil {
		return 1
	}
	m, _, err := w.receive()
	if err != nil {
		return 1
	}
	files, i, err := prepare(m.Set, w)
	if err != nil {
		_ = w.send(message{Do: isReady, Failed: failedBy(err)}) // nobody is left to tell
		return 1
	}
	err = w.send(message{Do: isReady}, files...)
	closeAll(files)
	if err != nil {
		return 1
	}
	i.serve()
	return 0
}

// alone keeps from the agent what this process has of whoever started Parity: a
// folder that was left open would lead to all that is outside.
func alone() error {
	err := unix.CloseRange(wireFile, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC)
	if err == nil {
		return nil
	}
	open, err := os.ReadDir("/proc/self/fd") // before Linux 5.11
	for _, f := range open {
		if fd, err := strconv.Atoi(f.Name()); err == nil && fd >= wireFile {
			unix.CloseOnExec(fd)
		}
	}
	return err
}

// prepare builds all that the agent is to be in.
func prepare(s setup, w *wire) ([]*os.File, *initial, error) {
	if os.Getpid() != 1 {
		return nil, nil, errors.New("process " + strconv.Itoa(os.Getpid()) + " is not the first of its namespace")
	}
	if err := raise(s.Pretend); err != nil {
		return nil, nil, err
	}
	files, err := listen(s.Options, s.Pretend)
	if err != nil {
		return nil, nil, err
	}
	self, err := os.Open("/proc/self/exe") // before it may be out of sight
	if err != nil {
		return nil, nil, failedAt("open this program in /proc", err)
	}
	if err := enter(s.Options); err != nil {
		return nil, nil, err
	}
	if err := conceal(); err != nil {
		return nil, nil, failedAt("conceal the first process", err)
	}
	i := &initial{wire: w, self: self, bounds: bounds(s.Options), children: map[int]*child{}}
	if err := i.begin(s.Options); err != nil {
		return nil, nil, err
	}
	return files, i, nil
}
