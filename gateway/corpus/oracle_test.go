package corpus

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// An oracle judges requests and replies of one document after the other, each
// kind in a process of its own: what they take in memory, and whether they
// survive, is no concern of Parity's.
type oracle struct {
	kin, ajv *child
	now      *child // who judges the open document; nil: nobody does
	why      string // nobody does
	peak     int64
	spent    time.Duration
}

func newOracle(modules string) (*oracle, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	script, err := filepath.Abs("ajv.mjs")
	if err != nil {
		return nil, err
	}
	return &oracle{
		kin: &child{args: []string{self}, env: oracleVariable + "=kin"},
		ajv: &child{args: []string{"node", "--max-old-space-size=4096", script, modules}},
	}, nil
}

// open readies the oracle for a document, and says what operations it has.
func (o *oracle) open(file string) (a answer, err error) {
	began := time.Now()
	defer func() { o.spent += time.Since(began) }()
	o.now, o.kin.file, o.ajv.file = nil, "", ""
	a, err = o.kin.open(file)
	if err != nil {
		return a, err
	}
	if a.Broken == "" {
		o.now = o.kin
		return a, nil
	}
	o.why = a.Broken
	second, err := o.ajv.open(file)
	if err == nil && second.Broken == "" {
		o.now = o.ajv
		a.Broken = ""
		return a, nil
	}
	if err != nil {
		second.Broken = err.Error()
	}
	o.why += "; ajv: " + second.Broken
	a.Broken = o.why
	return a, nil
}

// ask never fails: what goes wrong is not judged.
func (o *oracle) ask(q question) answer {
	began := time.Now()
	defer func() { o.spent += time.Since(began) }()
	if o.now == nil {
		return answer{Verdict: unjudged, Why: clip(o.why)}
	}
	a, err := o.now.ask(q, 20*time.Second)
	if err != nil {
		return answer{Verdict: unjudged, Why: clip("the oracle: " + err.Error())}
	}
	return a
}

// second asks the other oracle, where both know the document's version. It
// settles what the first one may have got wrong.
func (o *oracle) second(q question, file string) answer {
	if o.now != o.kin {
		return answer{Verdict: unjudged, Why: "there is no second oracle"}
	}
	began := time.Now()
	defer func() { o.spent += time.Since(began) }()
	if o.ajv.file != file {
		if a, err := o.ajv.open(file); err != nil || a.Broken != "" {
			return answer{Verdict: unjudged, Why: clip(fmt.Sprint(a.Broken, err))}
		}
	}
	a, err := o.ajv.ask(q, 20*time.Second)
	if err != nil {
		return answer{Verdict: unjudged, Why: clip("the second oracle: " + err.Error())}
	}
	return a
}

func (o *oracle) close() {
	for _, c := range []*child{o.kin, o.ajv} {
		if c.cmd == nil {
			continue
		}
		if a, err := c.ask(question{Do: "end"}, 10*time.Second); err == nil {
			o.peak = max(o.peak, a.Peak)
		}
		c.stop()
	}
}

// A child is a process that answers one line of JSON with another.
type child struct {
	args []string
	env  string
	file string // what it has open

	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (c *child) start() (err error) {
	c.cmd = exec.Command(c.args[0], c.args[1:]...)
	c.cmd.Env = append(os.Environ(), c.env)
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	if err := c.cmd.Start(); err != nil {
		c.cmd = nil
		return err
	}
	return nil
}

func (c *child) stop() {
	_ = c.in.Close()
	_ = c.cmd.Process.Kill() // it may have gone by itself
	_ = c.cmd.Wait()
	c.cmd, c.file = nil, ""
}

func (c *child) open(file string) (answer, error) {
	a, err := c.ask(question{Do: "open", File: file}, 2*time.Minute)
	if err == nil {
		c.file = file
	}
	return a, err
}

// ask kills a child that does not answer in time. The next question gets a new
// one, with the same document open.
func (c *child) ask(q question, limit time.Duration) (a answer, err error) {
	if c.cmd == nil {
		file := c.file
		if err := c.start(); err != nil {
			return a, err
		}
		if file != "" && q.Do != "open" {
			if _, err := c.open(file); err != nil {
				return a, err
			}
		}
	}
	line, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	process := c.cmd.Process
	timer := time.AfterFunc(limit, func() { _ = process.Kill() })
	defer timer.Stop()
	file := c.file
	fail := func(err error) (answer, error) {
		if !timer.Stop() {
			err = errors.New("no answer in time")
		}
		c.stop()
		c.file = file
		return a, err
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		return fail(err)
	}
	reply, err := c.out.ReadBytes('\n')
	if err != nil {
		return fail(err)
	}
	return a, json.Unmarshal(reply, &a)
}
