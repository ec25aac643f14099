package specs

import (
	"slices"
	"strings"
)

// Asks tells whether a call of the operation may have a field, in its query or
// in its body: one that the contract names, or any where it leaves that open. A
// field of an object within is written metadata.order_id.
func (o *Operation) Asks(field string) bool {
	if o.parts == nil {
		return true // made by hand: nothing is known of it
	}
	names := strings.Split(field, ".")
	if named, _ := o.Promises(InQuery, names[0]); named {
		return true
	}
	if len(o.BodyKinds()) == 0 {
		return false
	}
	var value any = ""
	for _, name := range slices.Backward(names) {
		value = map[string]any{name: value}
	}
	body, _ := value.(map[string]any)
	return len(o.Undeclared(Input{Body: body})) == 0
}

// AskNames lists the fields that the contract names for the query and at the top
// of the body of the operation's calls.
func (o *Operation) AskNames() []string {
	if o.parts == nil {
		return nil
	}
	var names []string
	parameters, _ := o.source.Parameters()
	for _, p := range parameters {
		if p.In == inQuery {
			names = append(names, p.Name)
		}
	}
	if b, _ := o.source.Body(); b != nil {
		for _, m := range b.Content {
			for _, p := range m.Schema.Target().View().Properties {
				names = append(names, p.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
