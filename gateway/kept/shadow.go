package kept

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"parity/fakes/expression"
	"parity/faults/trail"
	"parity/gateway/shadow"
	"parity/profiles"
	"parity/specs"
	"parity/specs/body"
	"parity/specs/class"
	"parity/specs/secret"
)

// HumanFile names the file that has the log of people with which a run was compared
// last: beside the store, in the folder that Find gives.
func HumanFile(dir, run string) string { return filepath.Join(dir, run+".human.jsonl") }

// CleanHuman is a log without what looks like a secret.
func CleanHuman(log []byte) []byte {
	var list *secret.List
	return []byte(list.Text(string(log), func(_, _ string) string { return secret.Redacted }))
}

// KeepHuman keeps a log beside a run, for its reports.
func KeepHuman(root, name string, log []byte) error {
	dir, id, err := Find(root, name)
	if err != nil {
		return err
	}
	return os.WriteFile(HumanFile(dir, id), log, 0o600)
}

// ForgetHuman removes the log that is kept beside a run, if there is one.
func ForgetHuman(dir, run string) error {
	if err := os.Remove(HumanFile(dir, run)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Compare sets what the run's agent wrote beside a log of what people did. Its error
// is about the log, or says that the run cannot be compared.
func (k *Run) Compare(log []byte) (trail.Comparison, error) {
	lines, err := shadow.Read(log)
	if err != nil {
		return trail.Comparison{}, err
	}
	if k.Profile == nil {
		return trail.Comparison{}, errors.Join(errors.New("the profile that the run was made under cannot be read, so nobody knows what its calls were"), k.Unread)
	}
	acts, tried := k.acts()
	c := shadow.Compare(acts, lines, shadow.Options{
		Run: k.ID, Catalogue: k.Profile.Catalogue, Services: k.Profile.Services, Acceptable: k.Profile.Acceptable, Meaning: k.Profile.Meaning, Class: k.classOf, Tried: tried,
		Refused: func(t trail.Tried) (*specs.Operation, *specs.Input) {
			i := slices.IndexFunc(k.Events, func(e trail.Event) bool { return e.Seq == t.Event })
			op, in := meantBy(k.Profile, k.Events[i].Exchange)
			return op, &in
		},
	})
	sum := sha256.Sum256(log)
	c.Log.Digest = hex.EncodeToString(sum[:])
	return c, nil
}

// beside is the comparison with the log that is kept with the run; nil: there is
// none. Why there is none that can be read is told.
func (k *Run) beside() (*trail.Comparison, string) {
	if len(k.human) == 0 {
		return nil, ""
	}
	c, err := k.Compare(k.human)
	if err != nil {
		return nil, fmt.Sprintf("The log of people that is kept with the run cannot be compared: %v", err)
	}
	return &c, ""
}

// readHuman reads the log that is kept beside a run; nil: there is none.
func readHuman(dir, run string) ([]byte, error) {
	log, err := os.ReadFile(HumanFile(dir, run))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return log, err
}

// acts are the writes of the agent, captured or made on a fake, and those of which
// nothing came. What was set back is gone; an attempt of what was captured before is
// no act of its own.
func (k *Run) acts() (acts []shadow.Act, tried []trail.Tried) {
	of := map[string]int{} // an intent that was captured, and which act it is
	for _, e := range trail.Lasting(k.Events, k.Forks) {
		if e.Kind != trail.Exchanged || e.Exchange == nil || e.Exchange.Operation == "" || e.Exchange.Parts > 0 {
			continue
		}
		x := e.Exchange
		op, in := meantBy(k.Profile, x)
		if op == nil {
			continue
		}
		is := class.Class("")
		if x.Policy != nil {
			is = class.Class(x.Policy.Class)
		}
		if is == "" {
			is = k.classOf(op, in)
		}
		if is == class.Read || x.Replayed {
			continue
		}
		if x.Outcome != trail.Captured && !x.Committed {
			tried = append(tried, trail.Tried{Event: e.Seq, Call: x.Service + " " + x.Operation, Status: x.Status, Code: codeOf(x)})
			continue
		}
		one := e.Identity + " " + x.Intent.ID
		if at, again := of[one]; again && x.Outcome == trail.Captured && x.Intent.Attempt > 1 {
			acts[at].Agent.Times = max(acts[at].Agent.Times, 1) + 1
			continue
		}
		of[one] = len(acts)
		acts = append(acts, k.act(e, op, in, is))
	}
	return acts, tried
}

func codeOf(x *trail.Exchange) string {
	if x.Policy == nil {
		return ""
	}
	return x.Policy.Code
}

func (k *Run) act(e *trail.Event, op *specs.Operation, in specs.Input, is class.Class) shadow.Act {
	a := shadow.Act{Operation: op, Class: is, Input: in, At: e.At.Time(), Agent: &trail.AgentAct{Event: e.Seq, Identity: e.Identity}}
	if s, ok := k.Profile.Catalogue.Service(op.Service); ok {
		a.Contract = s.Contract
	}
	if e.Exchange.Policy != nil {
		a.Agent.Draft = e.Exchange.Policy.Draft
	}
	if e.Exchange.Method == http.MethodPost {
		a.Made = shadow.Made(e.Exchange.ReplyBody, in)
	}
	return a
}

// meantBy is what an exchange of a record says; nil: the profile has no such operation.
func meantBy(p *profiles.Profile, x *trail.Exchange) (*specs.Operation, specs.Input) {
	s, ok := p.Catalogue.Service(x.Service)
	if !ok || s.Contract == nil {
		return nil, specs.Input{}
	}
	m := s.Contract.Recall(x.Operation, x.Method, x.Path)
	if m.Operation == nil {
		return nil, specs.Input{}
	}
	var content any
	if len(x.Body) > 0 {
		value, wrong := body.DecodeJSON(x.Body)
		if content = value; wrong != nil {
			content = string(x.Body)
		}
	}
	return m.Operation, shadow.Said(m.Operation, m.Path, x.Query, content)
}

// classOf is what sort of act a call is by the profile.
func (k *Run) classOf(op *specs.Operation, in specs.Input) class.Class {
	is := class.Of(op, k.Profile.Effect(op)).Class
	if k.Profile.Authority == nil || k.Profile.Authority.Classes[op] == nil {
		return is
	}
	path := map[string]any{}
	for name, value := range in.Path {
		path[name] = value
	}
	request := map[string]any{"path": path, "query": in.Query, "body": in.Content(), "method": op.Method}
	return k.Profile.Authority.Classes[op].Of(is, func(when *expression.Program) (bool, error) {
		return when.Bool(map[string]any{"request": request})
	})
}
