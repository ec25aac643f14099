package notion

import (
	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A home is where a page is to be: in a page, or in a data source, or at the
// top of the workspace.
type home struct {
	parent map[string]any
	source *world.Record // nil: not in a data source
	within *node         // what holds it; nil: the workspace
}

// home reads a parent, and finds it.
func (c *call) home(at place, workspace bool) (home, *refusal) {
	if wrong := at.isObject(); wrong != nil {
		return home{}, invalid("body", wrong)
	}
	for _, kind := range []string{"page_id", "database_id", "data_source_id", "block_id"} {
		field := at.at(kind)
		if !field.sent {
			continue
		}
		if wrong := field.isUUID(); wrong != nil {
			return home{}, invalid("body", wrong)
		}
		id, _ := uuidOf(kit.Text(cast.Object(at.value), kind))
		switch kind {
		case "page_id", "block_id":
			return c.pageHome(id, kind)
		}
		return c.sourceHome(id, kind)
	}
	if at.at("workspace").value == true || at.at("type").value == "workspace" {
		if workspace && !c.public() {
			return home{}, refuse("Provide a `parent.page_id` or `parent.database_id` parameter to create a page, or use a public integration with `insert_content` capability. Internal integrations aren't owned by a single user, so creating workspace-level private pages is not supported.")
		}
		if workspace {
			return home{parent: map[string]any{"type": "workspace", "workspace": true}}, nil
		}
	}
	wrong := problem{}
	for _, kind := range []string{"page_id", "database_id", "data_source_id", "workspace"} {
		if kind != "data_source_id" || c.since(v20250903) {
			wrong = append(wrong, at.at(kind).should("defined")...)
		}
	}
	return home{}, invalid("body", wrong)
}

// public tells whether the token was given out for a person, who owns what is
// made with it: internal integrations have nobody.
func (c *call) public() bool {
	if c.Identity == fakes.Fixture {
		return true
	}
	token, known := c.fake.tokens.Of(c.Call)
	return known && token.Fields["issued"] != nil
}

func (c *call) pageHome(id, kind string) (home, *refusal) {
	n, ok := c.node(id)
	if !ok || !c.shared(n.Value()) {
		return home{}, c.missing("page", id)
	}
	if n.kind == databases && kind == "page_id" {
		return home{}, refuse("Provided parent.page_id %s is a database, not a page. Use parent.database_id instead.", id)
	}
	if refused := c.editable(n); refused != nil {
		return home{}, refused
	}
	return home{parent: c.parentOf(n), within: &n}, nil
}

func (c *call) sourceHome(id, kind string) (home, *refusal) {
	source, refused := c.source(id, kind)
	if refused != nil {
		return home{}, refused
	}
	if trashed(source.Value()) || c.buried(source.Value()) {
		return home{}, archivedAncestor("page")
	}
	n := node{dataSources, source}
	return home{parent: map[string]any{"type": "data_source_id", "data_source_id": source.ID}, source: source, within: &n}, nil
}

// source finds a data source, by its own id or by that of its database.
func (c *call) source(id, kind string) (*world.Record, *refusal) {
	if kind == "data_source_id" {
		r, ok := c.find(dataSources, id)
		if !ok || !c.shared(r.Value()) {
			return nil, c.missing("database", id) // its word for data sources too
		}
		return r, nil
	}
	database, ok := c.find(databases, id)
	if !ok || !c.shared(database.Value()) {
		return nil, c.missing("database", id)
	}
	sources := c.sources(id)
	switch {
	case len(sources) == 0:
		return nil, c.missing("database", id)
	case len(sources) > 1:
		return nil, c.manySources(id, sources)
	}
	return sources[0], nil
}
