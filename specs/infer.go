package specs

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/specs/anatomy"
	"parity/specs/words"
)

// Model gives what the contract lets one infer about its resources. It is made
// once, when it is first asked for.
func (c *Contract) Model() *anatomy.Model { return c.model() }

// infer gives operations the anatomy that their document lets one guess. A
// document that says which collections its operations work on is taken at its
// word instead.
func (b *builder) infer() {
	for _, op := range b.contract.Operations {
		if op.Anatomy.Collection != "" {
			return
		}
	}
	b.contract.Correct(b.contract.Model())
}

// Correct gives operations the anatomy that a model says, such as one that a
// behaviour file has corrected. It is for whoever makes a service of the
// contract, before anybody uses it.
func (c *Contract) Correct(model *anatomy.Model) {
	for _, op := range c.Operations {
		op.inferKey()
		role := model.Roles[op.source]
		if role == nil {
			continue
		}
		if role.Once != "" && op.Anatomy.KeyField == "" {
			op.Anatomy.KeyField = role.Once
			op.Anatomy.Volatile = append(slices.Clone(op.Anatomy.Volatile), role.Once)
		}
		if role.Resource == nil {
			continue
		}
		a := &op.Anatomy
		a.Collection, a.Member = role.Resource.Name, role.Member
		if page := role.List; page != nil {
			a.page(page, role.Resource)
		}
		if role.Resource.Version != "" && role.List == nil && role.Output.Known && a.Version == "" {
			a.Version = role.Output.Path + Pointer(role.Resource.Version)
		}
		if op.source.Node.Get("x-parity-effect") == nil {
			op.Effect = inferred(op, role)
		}
	}
}

// page notes how a list is paged, as it was inferred.
func (a *Anatomy) page(p *anatomy.Paging, of *anatomy.Resource) {
	some := func(names ...string) []string {
		return slices.DeleteFunc(names, func(name string) bool { return name == "" })
	}
	a.List, a.Items, a.ID = true, p.Items, of.ID.Field
	a.Cursors, a.Offset, a.Page, a.First = some(p.Cursor, p.Before), p.Offset, p.Page, p.First
	a.Limit, a.Next, a.More, a.Total = some(p.Limit), some(p.Next), p.More, p.Total
	a.Link = p.Style == "link" && p.Next == ""
	a.Cursor = cmp.Or(a.mover(), a.Cursor)
}

var keyHeader = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(x-)?idempoten(cy|t)[-_]?(key|id)$`) })

// inferKey finds the header of an idempotency key among the parameters.
func (o *Operation) inferKey() {
	if o.Method == http.MethodGet || o.Anatomy.Key != "" {
		return
	}
	parameters, _ := o.source.Parameters()
	for _, p := range parameters {
		if p.In == inHeader && keyHeader().MatchString(p.Name) {
			o.Anatomy.Key = p.Name
		}
	}
}

// inferred is the effect of an operation that does not say it. What reaches
// somebody else (mail, money, what is published) cannot be taken back.
func inferred(op *Operation, role *anatomy.Role) Effect {
	switch role.Kind {
	case anatomy.List, anatomy.Read, anatomy.Search, anatomy.Count:
		return Read
	case anatomy.Create:
		if leaves(role.Resource.Name) {
			return Irreversible
		}
	case anatomy.Action:
		if leaves(role.Name) || leaves(op.Path[strings.LastIndexByte(op.Path, '/')+1:]) {
			return Irreversible
		}
	}
	return op.Effect
}

// leaves tells whether a name, or the last word of it, is of something that
// leaves the house.
func leaves(name string) bool {
	parts := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' })
	if len(parts) == 0 {
		return false
	}
	for _, word := range []string{parts[0], parts[len(parts)-1]} {
		switch words.Singular(word) {
		case "send", "resend", "email", "mail", "message", "sms", "call", "fax", "notification", "pay", "payment", "charge", "refund",
			"capture", "transfer", "payout", "withdraw", "withdrawal", "purchase", "checkout", "publish", "merge", "release", "deploy",
			"submit", "sign", "invite", "invitation", "wipe", "purge", "terminate":
			return true
		}
	}
	return false
}
