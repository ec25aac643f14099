package generic

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/specs/sample"
	"parity/specs/schema"
)

// workWords are in the paths of what services keep work in.
var workWords = []string{"job", "task", "operation", "import", "export", "request", "status", "batch", "process"}

// workFields are the names that a schema has for what there is to say of work,
// itself or in the one object that it holds: {"job": {"id": …, "status": …}}.
type workFields struct {
	outer                             string // the field that holds the others; "" where they are the reply's own
	id, status, link, result, failure string
	fields                            map[string]*schema.Schema
}

func workForm(s *schema.Schema) *workFields {
	f := formOf(s)
	w := workFieldsOf(f)
	if w.id != "" && w.status != "" || s == nil {
		return w
	}
	for _, name := range f.names {
		if inner := f.fields[name]; typed(inner).Is("object") {
			if deeper := workFieldsOf(formOf(inner)); deeper.id != "" && deeper.status != "" {
				deeper.outer = name
				return deeper
			}
		}
	}
	return w
}

func workFieldsOf(f *form) *workFields {
	w := &workFields{fields: f.fields}
	named := func(kind string, names ...string) string {
		for _, wanted := range names {
			for _, name := range f.names {
				if v := typed(f.fields[name]); canon(name) == wanted && (kind == "" || len(v.Types) == 0 || v.Is(kind)) {
					return name
				}
			}
		}
		return ""
	}
	w.id = named("", "id", "jobid", "taskid", "operationid", "requestid", "importid", "exportid", "batchid", "processid", "uuid")
	w.status = named("string", "status", "state", "phase", "jobstatus", "taskstatus")
	w.link = named("string", "statusurl", "joburl", "pollurl", "location", "url", "href", "self", "link", "uri")
	w.result = named("object", "result", "output", "response")
	w.failure = named("string", "error", "errormessage", "failurereason", "message")
	return w
}

// in gives the object that holds what is said of work.
func (w *workFields) in(reply map[string]any) map[string]any {
	if w.outer == "" {
		return reply
	}
	return cast.Object(reply[w.outer])
}

// around puts what is said of work where the schema has it, with what else is
// required.
func (w *workFields) around(c *call, s *schema.Schema, value map[string]any) map[string]any {
	if w.outer == "" {
		return c.source().least(s, value)
	}
	inner := c.source().least(c.fake.library.form(s).fields[w.outer], value)
	return c.source().least(s, map[string]any{w.outer: inner})
}

// tell says how far work is, and where that is shown.
func (w *workFields) tell(value map[string]any, of fakes.Work, where string) {
	if word := stateWord(w.fields[w.status], of.State); w.status != "" && word != "" {
		value[w.status] = word
	}
	if w.link != "" && where != "" {
		value[w.link] = where
	}
}

// conclude says what came of work that is over, where the schema has a place for
// it.
func (w *workFields) conclude(library *library, value map[string]any, of fakes.Work) {
	const failed = "The operation could not be completed; nothing has changed."
	switch {
	case of.State == fakes.WorkSucceeded && w.result != "" && of.Result != nil && library.Fits(w.fields[w.result], of.Result, sample.Reply):
		value[w.result] = maps.Clone(of.Result)
	case of.State == fakes.WorkFailed && w.failure != "" && library.Fits(w.fields[w.failure], failed, sample.Reply):
		value[w.failure] = failed
	}
}

// stateWords are those that services have for the states of work.
var stateWords = map[fakes.WorkState][]string{
	fakes.WorkPending: {
		"pending", "queued", "accepted", "submitted", "waiting", "scheduled", "created", "new", "open", "inprogress", "processing",
		"running", "started", "working", "active",
	},
	fakes.WorkSucceeded: {"succeeded", "success", "successful", "completed", "complete", "done", "finished", "ready", "processed", "ok", "closed"},
	fakes.WorkFailed:    {"failed", "failure", "fail", "error", "errored", "rejected", "aborted", "killed", "cancelled", "canceled"},
}

// stateWord is the contract's word for a state: where it lists none that is known
// to mean it, the first that is not known to mean another; "" where there is
// none.
func stateWord(s *schema.Schema, state fakes.WorkState) string {
	var listed []string
	if s != nil {
		listed = typed(s).Enum.Texts()
	}
	if len(listed) == 0 {
		return string(state)
	}
	for _, word := range stateWords[state] {
		if i := slices.IndexFunc(listed, func(one string) bool { return canon(one) == word }); i >= 0 {
			return listed[i]
		}
	}
	others := func(one string) bool {
		for other, words := range stateWords {
			if other != state && slices.Contains(words, canon(one)) {
				return true
			}
		}
		return false
	}
	if listed = slices.DeleteFunc(listed, others); len(listed) > 0 {
		return listed[0]
	}
	return ""
}

// canon is a name without what writings differ in.
func canon(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
