package anatomy

import (
	"strings"

	"parity/specs/openapi"
	"parity/specs/schema"
)

// An inference is one run of Infer.
type inference struct {
	deeper  map[string]bool   // paths that others go on from
	methods map[string]string // path without parameters at its end -> methods there
	shapes  map[*schema.Schema]*shape
	cores   map[*schema.Schema]*schema.Schema
	kinds   map[*schema.Schema]string
	sames   map[[2]*schema.Schema]bool
	calls   []*call
	things  []*thing
	nouns   map[string]*thing // after merge, the thing that a word of a path means
	words   map[string]*thing // the thing that a word means, where a field has that name
	model   *Model
}

// Infer finds the resources of an API and what its operations do with them. It
// never fails: what it does not understand is Other.
func Infer(api *openapi.API) *Model {
	in := &inference{
		deeper:  map[string]bool{},
		methods: map[string]string{},
		shapes:  map[*schema.Schema]*shape{},
		cores:   map[*schema.Schema]*schema.Schema{},
		kinds:   map[*schema.Schema]string{},
		sames:   map[[2]*schema.Schema]bool{},
		model:   &Model{Roles: make(map[*openapi.Operation]*Role, len(api.Operations))},
	}
	for _, op := range api.Operations {
		path := strings.TrimSuffix(op.Path, "/")
		if i := strings.LastIndexByte(path, '/'); i > 0 {
			in.deeper[path[:i]] = true
		}
		if at := bare(path); !strings.Contains(in.methods[at], op.Method) {
			in.methods[at] += " " + op.Method
		}
	}
	root := &place{}
	for _, op := range api.Operations {
		c := in.call(op)
		in.calls = append(in.calls, c)
		root.put(c)
	}
	in.marry(root)
	in.visit(root, nil, nil)
	in.merge()
	in.nest()
	in.assign(root, nil, nil)
	in.finish()
	return in.model
}
