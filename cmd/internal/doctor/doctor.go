// Package doctor says whether an agent is, or can be, contained:
//
//	Examine  what this machine allows, a containment, and every way out tried in it
//	Inside   every way out tried where this process stands, in somebody's container
package doctor

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"runtime"

	"parity/cmd/internal/output"
	"parity/gateway/contain"
	"parity/gateway/resolve"
	"parity/specs/words"
)

// The exit codes.
const (
	ExitOut     = 1 // something got out
	ExitRefused = 2 // containment cannot be
)

// Examination says how to examine.
type Examination struct {
	Level   contain.Level
	Form    string   // text or json
	Environ []string // that an agent would have, besides what each gets
	Allowed []string // variables that may hold secrets
	Getenv  func(string) string

	// What tests put in another's place; nil is the machine's own.
	Root   fs.FS
	System string
	Try    func(context.Context, contain.Level) ([]contain.Probe, error)
}

// Findings are what was found.
type Findings struct {
	Machine   []Fact          `json:"machine,omitempty"`
	Gateway   string          `json:"gateway,omitempty"` // where one answered, from within a container
	Contained bool            `json:"contained"`
	Level     string          `json:"level,omitempty"`
	Probes    []contain.Probe `json:"probes"`
	Refused   *Refusal        `json:"refused,omitempty"` // containment cannot be
}

// Refusal says why containment cannot be.
type Refusal struct {
	Cause string `json:"cause"`
	Mend  string `json:"mend"`
}

// Examine says what this machine allows, and tries the ways out of a containment.
func Examine(ctx context.Context, w io.Writer, e Examination) (code int, err error) {
	if e.Root == nil {
		e.Root = os.DirFS("/")
	}
	if e.System == "" {
		e.System = runtime.GOOS
	}
	if e.Try == nil {
		e.Try = e.tried
	}
	f := Findings{Machine: machine(e.Root, e.System, landlockHere()), Level: string(e.Level), Probes: []contain.Probe{}}
	found, err := e.Try(ctx, e.Level)
	var refused *contain.Refused
	switch {
	case errors.As(err, &refused):
		f.Refused = &Refusal{Cause: refused.Cause, Mend: refused.Mend}
		return ExitRefused, f.write(w, e.Form)
	case err != nil:
		return 0, err
	}
	return f.conclude(w, e.Form, found)
}

// tried opens a containment, answers in it as a gateway would, and tries.
func (e *Examination) tried(ctx context.Context, level contain.Level) (found []contain.Probe, err error) {
	o, token := contain.Options{Level: level}, rand.Text()
	box, err := contain.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		contain.Answer(ctx, box, token, resolve.New(resolve.Options{}))
	}()
	found, err = box.Probe(ctx, contain.Command{Env: e.Environ, Dir: "/"}, contain.Outside(o, token, e.Allowed))
	err = errors.Join(err, box.Close())
	<-served
	return found, err
}

// Inside tries the ways out from where this process stands. The environment says
// where the gateway is that may answer.
func Inside(ctx context.Context, w io.Writer, e Examination) (code int, err error) {
	g := gatewayOf(e.Getenv)
	p := contain.Here(g.token, e.Allowed)
	f := Findings{Level: "container", Probes: []contain.Probe{}}
	switch {
	case g.address == "":
		f.Gateway = "none is named: HTTPS_PROXY and HTTP_PROXY are not set"
	default:
		f.Gateway = g.address + " answers, and signs with the run's token"
		if err := contain.Answers(ctx, g.address, g.run, p); err != nil {
			f.Gateway = g.address + " does not answer as the gateway of this run: " + err.Error()
		}
	}
	return f.conclude(w, e.Form, contain.ProbeHere(ctx, p))
}

// where is where a gateway is, and by what it is known.
type where struct{ address, run, token string }

// gatewayOf reads from the environment where the gateway is: from the variables of
// `parity env`, and those by which programs find a proxy.
func gatewayOf(getenv func(string) string) where {
	g := where{run: getenv("PARITY_RUN"), token: getenv("PARITY_TOKEN")}
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"} {
		u, err := url.Parse(getenv(name))
		if err != nil || u.Host == "" {
			continue
		}
		if g.address = u.Host; u.Port() == "" {
			g.address = net.JoinHostPort(u.Hostname(), "80")
		}
		if u.User != nil && g.run == "" {
			g.run = u.User.Username()
		}
		if token, ok := userToken(u); ok && g.token == "" {
			g.token = token
		}
		break
	}
	return g
}

func userToken(u *url.URL) (string, bool) {
	if u.User == nil {
		return "", false
	}
	return u.User.Password()
}

// conclude says what came of trying.
func (f *Findings) conclude(w io.Writer, form string, found []contain.Probe) (code int, err error) {
	f.Probes, f.Contained = found, len(contain.Out(found)) == 0
	if !f.Contained {
		code = ExitOut
	}
	return code, f.write(w, form)
}

func (f *Findings) write(w io.Writer, form string) error {
	if form == "json" {
		return output.JSON(w, f)
	}
	const wide = 20
	for _, fact := range f.Machine {
		mark := " "
		if fact.Bad {
			mark = "!"
		}
		fmt.Fprintf(w, "%s %-*s%s\n", mark, wide, fact.Name, fact.Is)
	}
	if f.Gateway != "" {
		fmt.Fprintf(w, "  %-*s%s\n", wide, "gateway", f.Gateway)
	}
	if f.Refused != nil {
		_, err := fmt.Fprintf(w, "\nNot contained: %s\n%s\n", f.Refused.Cause, f.Refused.Mend)
		return err
	}
	fmt.Fprintln(w)
	for _, p := range f.Probes {
		mark := " "
		if p.Out {
			mark = "!"
		}
		fmt.Fprintf(w, "%s %-*s%s\n", mark, wide, p.Name, p.Said)
	}
	text := "Contained: " + words.Count(len(f.Probes), "probe") + ", none got out"
	if out := contain.Out(f.Probes); len(out) > 0 {
		text = fmt.Sprintf("Not contained: %d of %s got out", len(out), words.Count(len(f.Probes), "probe"))
	}
	_, err := fmt.Fprintf(w, "\n%s\n", text)
	return err
}
