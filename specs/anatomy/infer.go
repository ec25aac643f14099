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
	nouns   map[string]*thing             // after merge, the thing that a word of a path means
	words   map[string]*thing             // the thing that a word means, where a field has that name
	base    string                        // the word of the address below which the paths are, where they have none; "" for none
	moved   map[*openapi.Operation]string // see level
	model   *Model
}

// path gives an operation's path from the word that says of what it is: where
// paths are / and /{id}, that is the last one of the address of the service.
func (in *inference) path(op *openapi.Operation) string {
	if path, ok := in.moved[op]; ok {
		return path
	}
	if in.base == "" {
		return op.Path
	}
	return strings.TrimSuffix("/"+in.base+op.Path, "/")
}

// baseWord finds the word before the paths, where a path begins with none.
func baseWord(api *openapi.API) string {
	for _, op := range api.Operations {
		if op.Path != "/" && !strings.HasPrefix(op.Path, "/{") {
			return ""
		}
	}
	for _, server := range api.Servers {
		base := server.Fill(server.Base)
		word := base[strings.LastIndexByte(base, '/')+1:]
		if word != "" && !prefix(word) && !strings.Contains(word, "{") {
			return word
		}
	}
	return ""
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
	in.base, in.moved = baseWord(api), level(api)
	for _, op := range api.Operations {
		path := strings.TrimSuffix(in.path(op), "/")
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
