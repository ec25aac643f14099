package contain

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// A message goes between Open's process and PID 1 inside. What a request is of is
// its ID, which its answers have too.
type message struct {
	ID  int   `json:"id,omitempty"`
	Do  verb  `json:"do"`
	Set setup `json:"set,omitzero"`

	Command order    `json:"command,omitzero"`
	Signal  int      `json:"signal,omitempty"`
	To      []string `json:"to,omitempty"`

	Failed *failed            `json:"failed,omitempty"`
	Status syscall.WaitStatus `json:"status,omitempty"`
}

type verb string

const (
	doSetUp   verb = "set-up"     // from outside; with what the containment is
	isReady   verb = "ready"      // with the sockets
	doStart   verb = "start"      // with stdin, stdout, stderr, and perhaps the terminal
	isStarted verb = "started"    //
	isStopped verb = "stopped"    // by its terminal, or a signal
	isEnded   verb = "ended"      // with how
	doSignal  verb = "signal"     // to what was started
	doForward verb = "foreground" // it has the terminal that comes with it again
	doEndAll  verb = "end-all"    // kills all that is inside but PID 1
	doDial    verb = "dial"       //
	isDialled verb = "dialled"    // with the connection
)

// setup is what PID 1 needs to know first.
type setup struct {
	Options Options `json:"options"`
	Pretend pretend `json:"pretend,omitzero"`
}

// pretend has a step fail, as on a machine that does not allow it: for tests.
type pretend struct {
	Step  string        `json:"step,omitempty"`
	Errno syscall.Errno `json:"errno,omitempty"`
}

// at is the error of a step that is to fail.
func (p pretend) at(step string) error {
	if p.Step != step {
		return nil
	}
	return failedAt(step, p.Errno)
}

// order is a process to start.
type order struct {
	Args  []string `json:"args"`
	Env   []string `json:"env"`
	Dir   string   `json:"dir"`
	Probe bool     `json:"probe,omitempty"` // this very binary, which answers what it reads
	Files int      `json:"files,omitempty"` // how many come with it: 3, or 4 with the terminal
}

// failed is an error on its way out.
type failed struct {
	Step  string        `json:"step,omitempty"`
	Text  string        `json:"text"`
	Errno syscall.Errno `json:"errno,omitempty"`
	Kind  string        `json:"kind,omitempty"`
}

// kinds are the errors without a number that somebody asks for.
func kinds() map[string]error {
	return map[string]error{"not-found": exec.ErrNotFound, "dot": exec.ErrDot}
}

func failedBy(err error) *failed {
	f := &failed{Text: err.Error()}
	var step *failure
	if errors.As(err, &step) {
		f.Step, f.Text = step.step, step.err.Error()
	}
	errors.As(err, &f.Errno)
	for kind, is := range kinds() {
		if errors.Is(err, is) {
			f.Kind = kind
		}
	}
	return f
}

// Error is what failed, and at which step.
func (f *failed) Error() string {
	if f.Step != "" {
		return f.Step + ": " + f.Text
	}
	return f.Text
}

// Unwrap gives what it was inside.
func (f *failed) Unwrap() error {
	if is, ok := kinds()[f.Kind]; ok {
		return is
	}
	if f.Errno != 0 {
		return f.Errno
	}
	return nil
}

// mostFiles is how many files go with a message; the kernel takes 253.
const mostFiles = 250

// A wire takes messages, and files with them, from one process to another:
//
//	length, 4 bytes, with the files │ JSON
type wire struct {
	conn *net.UnixConn
	mu   sync.Mutex
}

func newWire(f *os.File) (*wire, error) {
	defer f.Close()
	conn, err := net.FileConn(f)
	if err != nil {
		return nil, err
	}
	unixConn, ok := conn.(*net.UnixConn)
	if !ok {
		conn.Close()
		return nil, fmt.Errorf("file %d is no socket of a pair", f.Fd())
	}
	return &wire{conn: unixConn}, nil
}

func (w *wire) send(m message, files ...*os.File) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	var rights []byte
	if len(files) > 0 {
		fds := make([]int, len(files))
		for i, f := range files {
			fds[i] = int(f.Fd())
		}
		rights = syscall.UnixRights(fds...)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, _, err := w.conn.WriteMsgUnix(binary.BigEndian.AppendUint32(nil, uint32(len(text))), rights, nil); err != nil {
		return err
	}
	_, err = w.conn.Write(text)
	return err
}

// receive waits for the next message. io.EOF: the other end is gone.
func (w *wire) receive() (m message, files []*os.File, err error) {
	header, rights := make([]byte, 4), make([]byte, syscall.CmsgSpace(4*mostFiles))
	n, controls, _, _, err := w.conn.ReadMsgUnix(header, rights)
	if err != nil {
		return m, nil, err
	}
	if files, err = filesIn(rights[:controls]); err != nil {
		return m, nil, err
	}
	if n == 0 {
		return m, nil, io.EOF
	}
	if _, err = io.ReadFull(w.conn, header[n:]); err == nil {
		text := make([]byte, binary.BigEndian.Uint32(header))
		if _, err = io.ReadFull(w.conn, text); err == nil {
			err = json.Unmarshal(text, &m)
		}
	}
	if err != nil {
		closeAll(files)
		return m, nil, err
	}
	return m, files, nil
}

func filesIn(rights []byte) (files []*os.File, err error) {
	if len(rights) == 0 {
		return nil, nil
	}
	controls, err := syscall.ParseSocketControlMessage(rights)
	if err != nil {
		return nil, err
	}
	for _, c := range controls {
		fds, err := syscall.ParseUnixRights(&c)
		if err != nil {
			continue // another kind of message
		}
		for _, fd := range fds {
			files = append(files, os.NewFile(uintptr(fd), fmt.Sprintf("handed over %d", fd)))
		}
	}
	return files, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
