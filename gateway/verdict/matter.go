package verdict

import (
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
	"parity/specs/class"
)

// What policy said of a call is about what the call was for, and not about the one
// request: the same asked for again is the same matter, whoever asks, under
// whichever key.
//
//	matter   service, method, path, query, and the body without what is made anew for each try
//	intent   the same by the profile's own account of what tells two calls apart

// policed is what was made of what policy said, once somebody has asked.
type policed struct {
	no   *ruling  // of refusals; see takesNo
	asks *heeding // of approvals; see heeded
}

// matter is what a call is for, whoever makes it.
func matter(c *call) string {
	body := string(c.x.Body)
	if fields := fieldsOf(c); fields != nil {
		meant := make(map[string]any, len(fields))
		for name, value := range fields {
			if !ofTheTry(name) {
				meant[name] = value
			}
		}
		body = string(world.Encode(meant))
	}
	return c.x.Service + " " + c.x.Host + " " + c.x.Method + " " + c.x.Path + "?" + c.x.Query + " " + body
}

// matters finds what is kept of a matter by any of its names.
type matters[T any] map[string]T

func (m matters[T]) find(names []string) (T, bool) {
	for _, name := range names {
		if t, ok := m[name]; ok {
			return t, true
		}
	}
	var none T
	return none, false
}

func (m matters[T]) keep(names []string, t T) {
	for _, name := range names {
		m[name] = t
	}
}

func (m matters[T]) forget(names []string) {
	for _, name := range names {
		delete(m, name)
	}
}

// decision is what policy said of a call; "": nothing.
func (c *call) decision() trail.Decision {
	if c.x.Policy == nil {
		return ""
	}
	return c.x.Policy.Decision
}

// letThrough tells a call that policy did not stop.
func (c *call) letThrough() bool {
	d := c.decision()
	return d == "" || d == trail.PolicyAllowed
}

// captured tells a write that was kept as a draft: it was answered as if done.
func (c *call) captured() bool { return c.decision() == trail.PolicyCaptured }

// classOf is what sort of act policy took a call for; "": nobody said.
func classOf(c *call) class.Class {
	if c.x.Policy == nil {
		return ""
	}
	return class.Class(c.x.Policy.Class)
}

// answeredBy words what a call asked for, and what policy said of it.
func answeredBy(c *call) string {
	what := tag(c) + first(operationOf(c), c.x.Method+" "+c.x.Path)
	p := c.x.Policy
	if p == nil {
		return what + clause(seen(c))
	}
	return what + ", " + strings.TrimSpace(string(p.Decision)+" "+p.Code)
}

// recordOf is the path of the record that a call is about: as far as the last part
// that names one; "": its path names none.
func recordOf(c *call) string {
	_, template, _ := strings.Cut(c.x.Operation, " ")
	parts, actual := strings.Split(template, "/"), strings.Split(c.x.Path, "/")
	for i := min(len(parts), len(actual)) - 1; i >= 0; i-- {
		if strings.Contains(parts[i], "{") {
			return strings.Join(actual[:i+1], "/")
		}
	}
	return ""
}
