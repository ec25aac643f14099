package generic

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/expression"
	"parity/specs/anatomy"
	"parity/specs/document"
	"parity/specs/openapi"
)

// kinds are what `does` may say.
var kinds = []string{"read", "list", "search", "count", "create", "replace", "update", "upsert", "delete", "action", "answer"}

// operation reads what the file says of one operation.
func (b *file) operation(n *document.Node) {
	if !b.object(n, "an operation", "does", "resource", "member", "in", "input", "output", "status", "list", "when", "else", "set", "effects", "headers", "fields", "receipt") {
		return
	}
	source := b.source(n)
	if source == nil {
		return
	}
	role := b.fake.model.Roles[source]
	if role == nil {
		role = &anatomy.Role{Kind: anatomy.Other}
		b.fake.model.Roles[source] = role
	}
	rule := &operationRule{}
	b.role(n, source, role, rule)
	if role.Resource == nil && rule.does != "answer" {
		b.wrong(n, "nothing says with what resource this operation does it", "add resource: and one of the resources")
		return
	}
	f := formOf(nil)
	if role.Resource != nil {
		f = formOf(role.Resource.Record)
	}
	if list := n.Get("list"); b.optional(list, "it has items, cursor, next …") {
		if role.List == nil {
			role.List = &anatomy.Paging{}
		}
		role.List = b.list(list, role.List, f)
		b.listKeys(list, nil)
	}
	if when, ok := b.text(n.Get("when")); ok {
		rule.when = b.compile(n.Get("when"), when, expression.Bool)
	}
	if refusal := n.Get("else"); refusal != nil {
		rule.refusal = b.errorRule(refusal)
		if rule.when == nil {
			b.wrong(refusal, "else is for what when does not allow", "add when:")
		}
	}
	rule.set = b.assignments(n.Get("set"), f)
	b.effects(n.Get("effects"), rule)
	b.reply(n, rule)
	if !rule.empty() {
		b.out.operations[source] = rule
	}
}

// reply reads what the file says of an operation's body and reply.
func (b *file) reply(n *document.Node, rule *operationRule) {
	headers := n.Get("headers")
	if b.optional(headers, "headers of the reply with their values, such as {X-Request-Cost: 1}") {
		for i := range headers.Len() {
			rule.headers = append(rule.headers, assignment{headers.At(i).Name, b.value(headers.At(i))})
		}
	}
	rule.fields, _ = b.texts(n.Get("fields"))
	rule.receipt, _ = b.flag(n.Get("receipt"))
}

// source finds the operation that a key names: "POST /contacts/{id}", or its id.
func (b *file) source(n *document.Node) *openapi.Operation {
	var names []string
	shapes := map[string]string{}
	same := func(a, b string) bool { return shape(a) == shape(b) }
	for _, op := range b.fake.api.Operations {
		name := op.Method + " " + op.Path
		if name == n.Name || op.ID != "" && op.ID == n.Name || same(name, n.Name) {
			return op
		}
		names = append(names, shape(name))
		shapes[shape(name)] = name
		if op.ID != "" {
			names = append(names, op.ID)
		}
	}
	before := len(b.problems)
	b.unknownKey(n, "operation", nil)
	b.problems[before].Hint = ""
	if near := nearest(shape(n.Name), names); near != "" {
		b.problems[before].Hint = "did you mean " + cmp.Or(shapes[near], near) + "?"
	}
	return nil
}

// shape is a path without the names of its parameters.
func shape(name string) string {
	var out strings.Builder
	inside := false
	for _, r := range name {
		switch {
		case r == '{':
			inside = true
			out.WriteString("{")
		case r == '}':
			inside = false
		}
		if !inside {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// role reads what an operation does, and with what.
func (b *file) role(n *document.Node, source *openapi.Operation, role *anatomy.Role, rule *operationRule) {
	if does, ok := b.choice(n.Get("does"), kinds...); ok {
		if rule.does = does; does != "answer" {
			role.Kind = anatomy.Kind(does)
		}
		if (does == "list" || does == "search") && role.List == nil {
			role.List = &anatomy.Paging{}
		}
	}
	if name, ok := b.text(n.Get("resource")); ok && b.isResource(n.Get("resource"), name) {
		for _, r := range b.fake.model.Resources {
			if r.Name == name && role.Resource != r {
				role.Resource = r
				role.Member, role.In, role.Within = member(source, role.Kind)
				if r.ID.Param == "" {
					r.ID.Param = role.Member
				}
			}
		}
	}
	if name, ok := b.text(n.Get("member")); ok {
		role.Member = name
		if role.In == "" {
			role.In = inPath
		}
		role.Within = slices.DeleteFunc(slices.Clone(parametersOf(source.Path)), func(p string) bool { return p == name })
	}
	if in, ok := b.choice(n.Get("in"), inPath, inQuery, inBody); ok {
		role.In = in
	}
	if at, ok := b.pointer(n.Get("input")); ok {
		role.Input.Path = at
	}
	if at, ok := b.pointer(n.Get("output")); ok {
		role.Output.Path = at
	}
	if status, ok := b.count(n.Get("status")); ok {
		role.Status = fmt.Sprint(status)
	}
}

// member guesses which parameter of a path names a member: the last, where the
// operation is about one.
func member(source *openapi.Operation, kind anatomy.Kind) (name, in string, within []string) {
	all := parametersOf(source.Path)
	if len(all) == 0 || kind == anatomy.List || kind == anatomy.Create || kind == anatomy.Search || kind == anatomy.Count {
		return "", "", all
	}
	return all[len(all)-1], inPath, all[:len(all)-1]
}

func parametersOf(path string) []string {
	var names []string
	for rest := path; ; {
		_, after, ok := strings.Cut(rest, "{")
		name, after, closed := strings.Cut(after, "}")
		if !ok || !closed {
			return names
		}
		names, rest = append(names, name), after
	}
}

// environment is what expressions may begin with.
var environment = expression.Env{"record", "request"}

func (b *file) compile(n *document.Node, source string, kind expression.Kind) *expression.Program {
	p, err := expression.Compile(source, kind, environment)
	if err == nil {
		return p
	}
	_, line, column := n.Place()
	message := err.Error()
	var at *expression.Error
	if errors.As(err, &at) {
		message = at.Message
		line, column = line+at.Line-1, column+at.Column-1
	}
	b.problems = append(b.problems, Problem{Line: line, Column: column, Message: message, Fatal: true})
	return nil
}

// assignments reads fields with their values: now, a path that begins with
// record or request, {expr: …}, or what stands there, which may have such values
// in it.
func (b *file) assignments(n *document.Node, f *form) []assignment {
	if !b.optional(n, "fields with their values, such as {status: archived, archived_at: now}") {
		return nil
	}
	all := []assignment{} // none is something too: what a name tells is not so
	for i := range n.Len() {
		v := n.At(i)
		if !b.field(v, f, v.Name) {
			continue
		}
		made := b.value(v)
		if made.told() && !b.fits(v, f, v.Name, made.fixed) {
			continue
		}
		all = append(all, assignment{v.Name, made})
	}
	return all
}

func (b *file) value(n *document.Node) value {
	words := n.Text()
	switch {
	case words == "now":
		return value{now: true}
	case strings.HasPrefix(words, "record.") || strings.HasPrefix(words, "request."):
		return value{program: b.compile(n, words, expression.Any)}
	case n.Is(document.Object) && n.Len() == 1 && n.At(0).Name == "expr":
		if source, ok := b.text(n.At(0)); ok {
			return value{program: b.compile(n.At(0), source, expression.Any)}
		}
	}
	together := value{list: n.Is(document.Array)}
	told := true
	for i := range n.Len() {
		part := assignment{n.At(i).Name, b.value(n.At(i))}
		if together.list {
			part.field = strconv.Itoa(i)
		}
		together.parts = append(together.parts, part)
		told = told && part.value.told()
	}
	if told {
		return value{fixed: n.Value()}
	}
	return together
}

// effects reads writes to other resources: {create: events, set: {…}}, {update:
// companies, id: record.company_id, set: {…}}, {delete: notes, id: …}.
func (b *file) effects(n *document.Node, rule *operationRule) {
	if n == nil {
		return
	}
	if !n.Is(document.Array) {
		b.wrong(n, "effects is a list", "write effects: [{create: events, set: {…}}]")
		return
	}
	for i := range n.Len() {
		v, before := n.At(i), len(b.problems)
		if !b.object(v, "an effect", "create", "update", "delete", "id", "set") {
			continue
		}
		var e effect
		for _, do := range []string{"create", "update", "delete"} {
			if name, ok := b.text(v.Get(do)); ok && b.isResource(v.Get(do), name) {
				e.do, e.resource = do, name
			}
		}
		if e.do == "" {
			if len(b.problems) == before {
				b.wrong(v, "an effect creates, updates or deletes", "write {create: events, set: {…}}")
			}
			continue
		}
		if id := v.Get("id"); id != nil {
			e.id = b.value(id)
		} else if e.do != "create" {
			b.wrong(v, "nothing says which of "+e.resource+" is meant", "add id: record.…")
			continue
		}
		for _, r := range b.fake.model.Resources {
			if r.Name == e.resource {
				e.set = b.assignments(v.Get("set"), formOf(r.Record))
			}
		}
		if own := b.out.resources[e.resource]; own == nil {
			b.out.resources[e.resource] = &rules{}
		}
		b.out.resources[e.resource].made = b.out.resources[e.resource].made || e.do == "create"
		rule.effects = append(rule.effects, e)
	}
}
