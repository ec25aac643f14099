package generic

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"parity/specs"
	"parity/specs/anatomy"
	"parity/specs/body"
	"parity/specs/class"
	"parity/specs/openapi"
	"parity/specs/schema"
)

// A plan is what is known of one operation before it is called.
type plan struct {
	source  *openapi.Operation
	role    *anatomy.Role
	res     *resource // nil: nothing is kept
	replies []declared
	asks    bool               // a credential is wanted
	example func() (any, bool) // of its success
	do      handler
	rule    *operationRule // of the behaviour file
	batches bool           // it is there for batches, by its path
	body    func() *plan   // of a HEAD, where the contract has the GET that it stands for; else nil
}

// newPlan reads an operation; it is done once, when it is first called.
func (f *Fake) newPlan(op *specs.Operation) *plan {
	source := op.Source()
	p := &plan{source: source, role: &anatomy.Role{Kind: anatomy.Other}}
	p.replies = repliesOf(source)
	p.asks = f.secured(source)
	p.batches = op.Method != http.MethodGet && class.Batches(op)
	if role := f.model.Roles[source]; role != nil {
		p.role = role
	}
	if r := f.res[p.role.Resource]; r != nil && r.kept() && !f.stateless {
		p.res = r
	}
	p.rule = f.rules.operation(source)
	p.example = sync.OnceValues(func() (any, bool) { return f.example(op, p.success()) })
	p.do = p.handler()
	if p.rule == nil {
		p.body = f.headOf(op)
	}
	return p
}

// handler picks what answers an operation.
func (p *plan) handler() handler {
	if p.res == nil {
		return answerOther
	}
	if p.rule != nil {
		return guarded(p.usual())
	}
	return p.usual()
}

// usual is what an operation does by its kind.
func (p *plan) usual() handler {
	if p.rule != nil && p.rule.does == "answer" {
		return answerOther
	}
	switch p.role.Kind {
	case anatomy.List, anatomy.Search:
		if p.role.List != nil {
			return listMembers
		}
	case anatomy.Count:
		return countMembers
	case anatomy.Create:
		return createMember
	case anatomy.Read:
		return readMember
	case anatomy.Replace:
		return replaceMember
	case anatomy.Update:
		return updateMember
	case anatomy.Upsert:
		return upsertMember
	case anatomy.Delete:
		return deleteMember
	case anatomy.Action:
		return ruled
	}
	return answerOther
}

// A declared reply is one that the contract describes, as it is read once.
type declared struct {
	*openapi.Response
	code  int            // 0: it stands for several
	media *openapi.Media // that is answered with; nil: no body
}

func repliesOf(source *openapi.Operation) []declared {
	responses, _ := source.Responses() // what can be read of them
	replies := make([]declared, len(responses))
	for i := range responses {
		code, _ := strconv.Atoi(responses[i].Status) // 2XX and default are none
		replies[i] = declared{&responses[i], code, pick(&responses[i])}
	}
	return replies
}

// A target is one of the replies that an operation may give.
type target struct {
	status int
	of     *openapi.Response // nil: the contract says nothing of it
	media  *openapi.Media    // nil: without a body
}

// spoken gives a reply a body where the contract says nothing of any body that
// has to do with the resource: it may have forgotten them, and without them
// nobody would learn an id.
func (t target) spoken(r *resource) target {
	if t.media == nil && t.of != nil && len(t.of.Content) == 0 && r != nil && !r.shown && t.status >= 200 && t.status < 204 {
		t.media = &openapi.Media{Type: "application/json"}
	}
	return t
}

// schema gives what the body has to be; nil for anything.
func (t target) schema() *schema.Schema {
	if t.media == nil {
		return nil
	}
	return t.media.Schema
}

// header tells whether the reply has a header.
func (t target) header(name string) bool {
	_, ok := t.declared(name)
	return ok
}

// declared gives a header as the contract describes it.
func (t target) declared(name string) (h openapi.Header, ok bool) {
	if t.of == nil {
		return h, false
	}
	for _, h := range t.of.Headers {
		if strings.EqualFold(h.Name, name) {
			return h, true
		}
	}
	return h, false
}

// success picks the reply for something that went well: one of the wanted
// statuses, else the first 2XX, else whatever is said of the rest.
func (p *plan) success(wanted ...int) target {
	if own, err := strconv.Atoi(p.role.Status); err == nil && len(wanted) == 0 {
		wanted = []int{own}
	}
	for _, status := range wanted {
		if r := p.response(strconv.Itoa(status)); r != nil {
			return r.as(status)
		}
	}
	for _, class := range "23" {
		for i := range p.replies {
			if r := &p.replies[i]; r.code != 0 && r.Status[0] == byte(class) {
				return r.as(r.code)
			}
		}
	}
	status := http.StatusOK
	if len(wanted) > 0 {
		status = wanted[0]
	}
	if r := p.response("2XX"); r != nil {
		return r.as(status)
	}
	if r := p.response("DEFAULT"); r != nil && len(p.replies) == 1 {
		return r.as(status)
	}
	return target{status: status}
}

// failure picks the reply for a status that is no success.
func (p *plan) failure(status int) target {
	text := strconv.Itoa(status)
	for _, name := range []string{text, text[:1] + "XX", "DEFAULT"} {
		if r := p.response(name); r != nil {
			return r.as(status)
		}
	}
	return target{status: status}
}

// meant finds the reply that a contract has for a kind of refusal under a status
// of its own, by what it says of it.
func (p *plan) meant(code string) int {
	words := meanings()[code]
	if words == nil {
		return 0
	}
	for i := range p.replies {
		r := &p.replies[i]
		if r.code < 400 {
			continue
		}
		name := ""
		if r.media != nil {
			name = r.media.Schema.Name()
		}
		if words.MatchString(r.Description) || words.MatchString(name) {
			return r.code
		}
	}
	return 0
}

// validates tells whether a contract has a 422 for what is not as its schemas
// say, and says nothing of the kind of its 400.
func (p *plan) validates() bool {
	speaks := func(status string) bool {
		r := p.response(status)
		return r != nil && (validation().MatchString(r.Description) || r.media != nil && validation().MatchString(r.media.Schema.Name()))
	}
	return speaks("422") && !speaks("400")
}

var validation = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)validat|unprocessable|invalid`) })

var meanings = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"not_found":           regexp.MustCompile(`(?i)not.?found|no.?such|not.?exist`),
		"already_exists":      regexp.MustCompile(`(?i)already|conflict|duplicate`),
		"precondition_failed": regexp.MustCompile(`(?i)precondition`),
	}
})

// nearest gives a status, or one that means nearly the same where the contract
// has that one and not the first.
func (p *plan) nearest(status int, others ...int) int {
	if p.failure(status).of != nil {
		return status
	}
	for _, other := range others {
		if p.response(strconv.Itoa(other)) != nil {
			return other
		}
	}
	return status
}

func (p *plan) response(status string) *declared {
	for i := range p.replies {
		if p.replies[i].Status == status {
			return &p.replies[i]
		}
	}
	return nil
}

// as gives the reply with a status, which it may stand for among others.
func (d *declared) as(status int) target { return target{status, d.Response, d.media} }

// pick chooses the content type of a reply: JSON, else something like it, else
// the first.
func pick(r *openapi.Response) *openapi.Media {
	best, rank := (*openapi.Media)(nil), 0
	for i := range r.Content {
		m := &r.Content[i]
		if n := rankOf(m.Type); best == nil || n > rank {
			best, rank = m, n
		}
	}
	return best
}

func rankOf(contentType string) int {
	switch kind := body.Kind(contentType); {
	case kind == "application/json":
		return 4
	case strings.HasSuffix(kind, "+json") && kind != "application/problem+json":
		return 3
	case body.IsJSON(kind) || kind == "*/*":
		return 2
	case strings.HasPrefix(kind, "text/"):
		return 1
	}
	return 0
}
