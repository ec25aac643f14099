package specs

import (
	"parity/specs/anatomy"
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
	model := b.contract.Model()
	for _, op := range b.contract.Operations {
		role := model.Roles[op.source]
		if role == nil || role.Resource == nil {
			continue
		}
		a := &op.Anatomy
		a.Collection, a.Member = role.Resource.Name, role.Member
		if page := role.List; page != nil {
			a.Items, a.More, a.Total = page.Items, page.More, page.Total
			for _, parameter := range []string{page.Cursor, page.Offset, page.Page} {
				if a.Cursor == "" {
					a.Cursor = parameter
				}
			}
		}
		if role.Resource.Version != "" && role.List == nil && role.Output.Known && a.Version == "" {
			a.Version = role.Output.Path + Pointer(role.Resource.Version)
		}
		switch role.Kind {
		case anatomy.List, anatomy.Read, anatomy.Search, anatomy.Count:
			if op.source.Node.Get("x-parity-effect") == nil {
				op.Effect = Read
			}
		}
	}
}
