package stripe_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"testing"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/specs"
)

// A sweep sends what the contract allows and collects what goes wrong, each
// kind once.
type sweep struct {
	*stage
	document document
	wrong    map[string]string // kind: its first example
	counts   map[string]int
	allowed  map[string]bool // parameters that were sent and well formed
	worked   map[string]bool // and were answered 200
	calls    int
	turn     int // of what is not tried with everything
}

// sometimes is how many calls go by until one is played a second time.
const sometimes = 32

func newSweep(t testing.TB) *sweep {
	return &sweep{stage: newStage(t), document: readDocument(t), wrong: map[string]string{}, counts: map[string]int{}, allowed: map[string]bool{}, worked: map[string]bool{}}
}

func (s *sweep) complain(kind, example string, args ...any) {
	if s.counts[kind]++; s.counts[kind] == 1 {
		s.wrong[kind] = fmt.Sprintf(example, args...)
	}
}

func (s *sweep) report(t *testing.T) {
	t.Helper()
	for _, kind := range slices.Sorted(maps.Keys(s.wrong)) {
		t.Errorf("%s (%d times), such as\n\t%s", kind, s.counts[kind], s.wrong[kind])
	}
}

// try plays one call that the contract allows on a fork of the stage, and
// gives what came of it; false when the contract refuses the call.
func (s *sweep) try(operation *specs.Operation, target, form string) (*rig, *fakes.Call, fakes.Reply, bool) {
	r := s.fork()
	call, trouble := r.call(operation.Method, target, form, nil)
	if trouble != nil {
		return nil, nil, fakes.Reply{}, false
	}
	s.calls++
	what := fmt.Sprintf("%s %s %s", operation.Method, target, form)
	reply, panicked := s.answer(call)
	if panicked != nil {
		s.complain(fmt.Sprintf("%s panics: %v", operation.ID, anonymous(fmt.Sprint(panicked))), "%s", what)
		return nil, nil, fakes.Reply{}, false
	}
	changed := len(call.Tx.Changes()) > 0
	r.world = call.Tx.Commit()
	if wrong := operation.CheckReply(reply.Status, reply.Header.Get("Content-Type"), reply.Body); len(wrong) > 0 {
		s.complain(fmt.Sprintf("%s answers against the contract at %s: %s", operation.ID, wrong[0].Pointer, wrong[0].Message), "%s\n\t%s", what, reply.Body)
	}
	if reply.Status >= 500 {
		s.complain(operation.ID+" answers "+fmt.Sprint(reply.Status), "%s", what)
	}
	untouched := operation.Method == "GET" || reply.Status >= 400 && reply.Status != 402
	if untouched && changed {
		s.complain(operation.ID+" is refused and changes the world", "%s\n\t%s", what, reply.Body)
	}
	return r, call, reply, true
}

func (s *sweep) answer(call *fakes.Call) (reply fakes.Reply, panicked any) {
	defer func() { panicked = recover() }()
	reply = s.service.Fake.Answer(call)
	if wrong := kit.Breaches(s.service, call.Tx.Changes()); len(wrong) > 0 {
		panic(fmt.Sprintf("%s%s %s", wrong[0].In, wrong[0].Pointer, wrong[0].Message))
	}
	return reply, nil
}

// anonymous takes the ids out of a complaint, so that its kind counts once.
func anonymous(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		if prefix, rest, ok := strings.Cut(word, "_"); ok && len(prefix) <= 3 && len(rest) > 12 {
			words[i] = prefix + "_…"
		}
	}
	return strings.Join(words, " ")
}

// TestEveryParameterIsAnswered sends every operation each of its parameters
// in each form that the contract allows, to each state of things.
func TestEveryParameterIsAnswered(t *testing.T) {
	t.Parallel()
	s := newSweep(t)
	for i, operation := range s.service.Contract.Operations {
		switch {
		case testing.Short() && i%4 != 0:
		case swept(operation):
			s.operation(operation)
		default:
			s.survey(operation)
		}
	}
	s.report(t)
	if testing.Short() {
		t.Log("every fourth operation; all of them without -short")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(s.allowed)) {
		if !s.worked[name] {
			t.Errorf("%s: none of its values was answered 200; give the stage one that is", name)
		}
	}
	t.Logf("%d calls", s.calls)
}

// swept tells whether answers of an operation are held against what was sent:
// those of payments are. Of the others it is asked that they keep to the
// contract, change nothing when they refuse, and do not panic.
func swept(operation *specs.Operation) bool {
	core := []string{"customers", "payment_methods", "payment_intents", "charges", "refunds", "events"}
	return slices.Contains(core, operation.Anatomy.Collection) && !strings.HasSuffix(operation.Path, "/search")
}

// survey sends each sample of each parameter to each target, and nothing more.
func (s *sweep) survey(operation *specs.Operation) {
	parameters := s.document.parameters(operation.Method, operation.Path)
	send := func(target, form string) {
		if operation.Method != "POST" {
			s.try(operation, strings.TrimSuffix(target+"?"+form, "?"), "")
			return
		}
		s.try(operation, target, form)
	}
	for _, target := range s.targets(operation.Path) {
		for _, base := range s.basesOf(operation.ID) {
			send(target, base)
			for _, name := range slices.Sorted(maps.Keys(parameters)) {
				for _, sample := range s.document.samples(name, parameters[name], s.known) {
					send(target, over(base, sample))
				}
			}
		}
	}
}

// operation sends each sample of each parameter to each target, with the forms
// that complete a call in turn; and each expansion, alone and with samples in
// turn.
func (s *sweep) operation(operation *specs.Operation) {
	parameters := s.document.parameters(operation.Method, operation.Path)
	bases, expands := s.basesOf(operation.ID), s.expandable(operation)
	targets := s.targets(operation.Path)
	live := map[string]bool{}
	for _, target := range targets {
		for _, base := range bases {
			worked, _ := s.judge(operation, target, base)
			live[target] = live[target] || worked
		}
		for _, path := range expands {
			s.judge(operation, target, over(bases[0], []pair{{"expand[]", path}}))
		}
	}
	pairs := 0
	for _, target := range targets {
		if live[target] && pairs < 3 {
			s.pairs(operation, target, parameters)
			pairs++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		if name == "expand" {
			continue
		}
		for n, sample := range s.document.samples(name, parameters[name], s.known) {
			for i, target := range targets {
				if n > 0 && !live[target] {
					continue // one sample shows that what is refused is refused
				}
				for j := range bases {
					if len(targets) == 1 || (i+j+s.turn)%len(bases) == 0 {
						s.parameter(operation, target, over(bases[j], sample), name, expands)
					}
				}
			}
		}
	}
}

// pairs sends each two parameters together, a sample of each in turn.
func (s *sweep) pairs(operation *specs.Operation, target string, parameters map[string]any) {
	bases := s.basesOf(operation.ID)
	var samples [][][]pair
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		if all := s.document.samples(name, parameters[name], s.known); len(all) > 0 { // an empty object cannot be sent
			samples = append(samples, all)
		}
	}
	for i := range samples {
		for j := range i {
			one, other := samples[i][s.turn%len(samples[i])], samples[j][(s.turn/3)%len(samples[j])]
			s.judge(operation, target, over(bases[s.turn%len(bases)], slices.Concat(one, other)))
		}
	}
}

func (s *sweep) parameter(operation *specs.Operation, target, form, name string, expands []string) {
	if s.turn%3 == 0 && len(expands) > 0 {
		form = over(form, []pair{{"expand[0]", expands[s.turn/3%len(expands)]}})
	}
	worked, ok := s.judge(operation, target, form)
	name = operation.ID + " " + name
	s.allowed[name] = s.allowed[name] || ok
	s.worked[name] = s.worked[name] || worked
}

// judge plays one call, holds its answer against what was sent, and plays it
// again.
func (s *sweep) judge(operation *specs.Operation, target, form string) (worked, ok bool) {
	url, body := target, form
	if operation.Method != "POST" {
		url, body = strings.TrimSuffix(target+"?"+form, "?"), ""
	}
	r, call, reply, ok := s.try(operation, url, body)
	if !ok {
		return false, false
	}
	what := fmt.Sprintf("%s %s %s", operation.Method, target, form)
	if s.turn++; s.turn%sometimes == 0 {
		again, _, second, _ := s.try(operation, url, body)
		if !bytes.Equal(reply.Body, second.Body) || again.world.Hash() != r.world.Hash() {
			s.complain(operation.ID+" answers differently the second time", "%s\n\t%s\n\t%s", what, reply.Body, second.Body)
		}
	}
	if reply.Status != 200 {
		return false, true
	}
	if asked := call.Input.Path[operation.Anatomy.Member]; asked != "" && !strings.HasPrefix(asked, "pm_card_") && operation.ID != "PostChargesChargeRefunds" && reply.Result["id"] != asked {
		s.complain(operation.ID+" answers with another record", "%s\n\t%s", what, reply.Body)
	}
	switch {
	case operation.Method == "POST":
		s.readBack(r, operation, call, reply, what)
		s.shows(operation, call, reply, what)
	case operation.Anatomy.Items != "":
		s.filters(operation, call, reply, what)
	}
	s.expands(operation, call, reply, what)
	return true, true
}

// readBack holds a GET of the record against the answer that showed it first.
func (s *sweep) readBack(r *rig, operation *specs.Operation, call *fakes.Call, reply fakes.Reply, what string) {
	id, _ := reply.Result["id"].(string)
	query := ""
	if paths, ok := call.Input.Body["expand"].([]any); ok {
		query = "?" + encoded([]pair{{"expand[]", paths[0].(string)}})
	}
	get, trouble := r.call("GET", "/v1/"+operation.Anatomy.Collection+"/"+id+query, "", nil)
	if trouble != nil {
		s.complain(operation.ID+" answers what a GET may not ask for", "%s", what)
		return
	}
	if shown := s.service.Fake.Answer(get); !bytes.Equal(shown.Body, reply.Body) {
		s.complain(operation.ID+" answers what a GET does not", "%s\n\t%s\n\t%s", what, reply.Body, shown.Body)
	}
}

// expandable lists what may be expanded in an operation's answers, as far as
// there is something to put in place, and one that has nothing.
func (s *sweep) expandable(operation *specs.Operation) []string {
	if operation.Method == "DELETE" {
		return nil
	}
	var paths []string
	for field := range s.document.fields(operation.Anatomy.Collection) {
		for _, name := range []string{field, field + ".default_payment_method"} {
			if _, ok := s.service.Contract.Refers(operation.Anatomy.Collection, name); ok {
				paths = append(paths, name)
			}
		}
	}
	switch operation.Anatomy.Collection {
	case "payment_intents":
		paths = append(paths, "latest_charge.refunds", "latest_charge.refunds.data.payment_intent.customer", "customer.invoice_settings.default_payment_method", "review")
	case "charges":
		paths = append(paths, "refunds", "refunds.data", "refunds.data.charge", "payment_intent.payment_method.customer", "balance_transaction")
	}
	sort.Strings(paths)
	if operation.Anatomy.Items != "" {
		for i := range paths {
			paths[i] = "data." + paths[i]
		}
	}
	return paths
}
