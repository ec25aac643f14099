package gitwire

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Zero is the name of no object: a reference that is not there, before or after.
const Zero = "0000000000000000000000000000000000000000"

// ErrRequest is what is wrong with lines that are none of the protocol's.
var ErrRequest = errors.New("protocol error")

// Capabilities are what one side of a conversation can do.
type Capabilities []string

// Has tells whether a capability is there, with a value or without.
func (c Capabilities) Has(name string) bool {
	return slices.ContainsFunc(c, func(one string) bool { return one == name || strings.HasPrefix(one, name+"=") })
}

// BandSize is how long lines of bands may be; 0 where the client wants none.
func (c Capabilities) BandSize() int {
	switch {
	case c.Has("side-band-64k"):
		return MaxPayload
	case c.Has("side-band"):
		return 996
	}
	return 0
}

// A Fetch is what a client asks git-upload-pack for.
type Fetch struct {
	Wants, Shallow []string
	Able           Capabilities
	Depth          int        // commits from the top; 0: all
	Relative       bool       // Depth counts from where the client's history ends
	Haves          [][]string // what it has, flush by flush
	Done           bool       // it has told all that it has
}

// ReadFetch reads the body of a request to git-upload-pack.
func ReadFetch(body []byte) (Fetch, error) {
	var f Fetch
	in := lines{body}
	for {
		line, flush, err := in.next()
		if err != nil {
			return f, err
		}
		if flush {
			break
		}
		if err := f.asked(line); err != nil {
			return f, err
		}
	}
	for len(in.rest) > 0 && !f.Done {
		if err := f.had(&in); err != nil {
			return f, err
		}
	}
	f.Relative = f.Able.Has("deepen-relative")
	return f, nil
}

func (f *Fetch) asked(line string) error {
	verb, rest, _ := strings.Cut(line, " ")
	name, able, _ := strings.Cut(rest, " ")
	switch verb {
	case "want":
		if !isName(name) {
			return ErrRequest
		}
		if f.Wants == nil {
			f.Able = strings.Fields(able)
		}
		f.Wants = append(f.Wants, name)
	case "shallow":
		if !isName(name) {
			return ErrRequest
		}
		f.Shallow = append(f.Shallow, name)
	case "deepen":
		depth, err := strconv.Atoi(name)
		if err != nil || depth < 1 {
			return ErrRequest
		}
		f.Depth = depth
	default:
		return ErrRequest
	}
	return nil
}

// had reads what a client has, up to the next flush.
func (f *Fetch) had(in *lines) error {
	haves := []string{}
	for {
		line, flush, err := in.next()
		if err != nil {
			return err
		}
		name, have := strings.CutPrefix(line, "have ")
		switch {
		case flush:
			f.Haves = append(f.Haves, haves)
			return nil
		case line == "done":
			f.Haves, f.Done = append(f.Haves, haves), true
			return nil
		case !have || !isName(name):
			return ErrRequest
		}
		haves = append(haves, name)
	}
}

// A Command moves one reference.
type Command struct {
	Old, New, Ref string // "" for an object that is not there
}

// A Push is what a client asks of git-receive-pack.
type Push struct {
	Commands []Command
	Able     Capabilities
	Pack     []byte // empty where nothing is new
}

// ReadPush reads the body of a request to git-receive-pack.
func ReadPush(body []byte) (Push, error) {
	var p Push
	in := lines{body}
	for {
		line, flush, err := in.next()
		if err != nil {
			return p, err
		}
		if flush {
			break
		}
		if strings.HasPrefix(line, "shallow ") {
			continue // the objects that it leaves out are here already, or the push is refused
		}
		line, able, first := strings.Cut(line, "\x00")
		if first && p.Commands == nil {
			p.Able = strings.Fields(able)
		}
		parts := strings.SplitN(line, " ", 3)
		if len(parts) != 3 || !isName(parts[0]) || !isName(parts[1]) || parts[2] == "" {
			return p, ErrRequest
		}
		p.Commands = append(p.Commands, Command{known(parts[0]), known(parts[1]), parts[2]})
	}
	if p.Able.Has("push-options") {
		for flush := false; !flush; {
			var err error
			if _, flush, err = in.next(); err != nil {
				return p, err
			}
		}
	}
	p.Pack = in.rest
	return p, nil
}

func known(name string) string {
	if name == Zero {
		return ""
	}
	return name
}

// isName tells the name of an object.
func isName(text string) bool {
	return len(text) == len(Zero) && strings.Trim(text, "0123456789abcdef") == ""
}
