package github

import (
	"net/http"
	"regexp"
	"strings"
	"sync"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// plainColor is that of a label that nobody gave one.
const plainColor = "ededed"

func labelKey(repo, name string) string { return repo + "/" + strings.ToLower(name) }

// showLabel shows a label by its name; one that nobody made looks as if it had
// just been.
func (c *call) showLabel(r repo, name string) map[string]any {
	value := map[string]any{"id": labelKey(r.key(), name), "name": name}
	if record, ok := c.get(labels, labelKey(r.key(), name)); ok {
		value = record.Value()
	}
	lid := number(value, "lid")
	return overlaid(map[string]any{
		"id": lid, "node_id": nodeID("LA", r.rid(), lid), "url": c.at(r) + "/labels/" + escapePath(kit.Text(value, "name")), "name": value["name"],
		"color": textOr(value, "color", plainColor), "default": value["default"] == true, "description": value["description"],
	}, value)
}

func (c *call) showLabels(r repo, names []string) []any {
	all := make([]any, len(names))
	for i, one := range names {
		all[i] = c.showLabel(r, one)
	}
	return all
}

// namedLabel finds the label that a path names.
func (c *call) namedLabel(r repo) (*world.Record, *refusal) {
	record, ok := c.get(labels, labelKey(r.key(), c.path("name")))
	if !ok {
		return nil, notFound()
	}
	return record, nil
}

// labelNames reads labels of a request: names, or objects with one.
func (c *call) labelNames(given []any) ([]string, *refusal) {
	names := make([]string, 0, len(given))
	for _, one := range given {
		text, _ := one.(string)
		if m, ok := one.(map[string]any); ok {
			text = kit.Text(m, "name")
		}
		if strings.TrimSpace(text) == "" {
			return nil, failed(wrong("Label", "name", codeField))
		}
		if len([]rune(text)) > 50 {
			return nil, failed(map[string]any{"resource": "Label", "code": codeCustom, "field": "name", "message": "name is too long (maximum is 50 characters)"})
		}
		names = append(names, text)
	}
	return unique(names), nil
}

// ensureLabels makes labels that are not there, and gives all as they are
// spelt.
func (c *call) ensureLabels(r repo, names []string) []string {
	spelt := make([]string, len(names))
	for i, one := range names {
		record, ok := c.get(labels, labelKey(r.key(), one))
		if !ok {
			record = c.create(labels, map[string]any{
				"id": labelKey(r.key(), one), "repo": r.key(), "name": one, "lid": c.newID(labels), "color": plainColor, "description": nil, "default": false,
			})
		}
		spelt[i] = kit.Text(record.Value(), "name")
	}
	return spelt
}

func listLabels(c *call, r repo) (answer, *refusal) {
	all := c.byRepo(labels, r)
	return listed(c, all, func(record *world.Record) any { return c.showLabel(r, kit.Text(record.Value(), "name")) }), nil
}

var colorForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9A-Fa-f]{6}$`) })

// checkLabel holds a label against what GitHub takes.
func (c *call) checkLabel(r repo, value map[string]any, but string) *refusal {
	text := kit.Text(value, "name")
	var errors []any
	switch {
	case strings.TrimSpace(text) == "":
		errors = append(errors, wrong("Label", "name", codeField))
	case len([]rune(text)) > 50:
		errors = append(errors, map[string]any{"resource": "Label", "code": codeCustom, "field": "name", "message": "name is too long (maximum is 50 characters)"})
	}
	if _, taken := c.get(labels, labelKey(r.key(), text)); taken && labelKey(r.key(), text) != but {
		errors = append(errors, wrong("Label", "name", codeExists))
	}
	if !colorForm().MatchString(kit.Text(value, "color")) {
		errors = append(errors, wrong("Label", "color", codeInvalid))
	}
	if len([]rune(kit.Text(value, "description"))) > 100 {
		errors = append(errors, map[string]any{"resource": "Label", "code": codeCustom, "field": "description", "message": "description is too long (maximum is 100 characters)"})
	}
	if errors != nil {
		return failed(errors...)
	}
	return nil
}

func createLabel(c *call, r repo) (answer, *refusal) {
	value := map[string]any{
		"id": labelKey(r.key(), c.text("name")), "repo": r.key(), "name": c.text("name"), "color": textOr(c.Input.Body, "color", plainColor),
		"description": c.Input.Body["description"], "default": false,
	}
	if refused := c.checkLabel(r, value, ""); refused != nil {
		return answer{}, refused
	}
	value["lid"] = c.newID(labels)
	c.create(labels, value)
	shown := c.showLabel(r, c.text("name"))
	c.notify(r, "label", map[string]any{"action": "created", "label": shown})
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

func getLabel(c *call, r repo, record *world.Record) (answer, *refusal) {
	return answer{value: c.showLabel(r, kit.Text(record.Value(), "name"))}, nil
}

func updateLabel(c *call, r repo, record *world.Record) (answer, *refusal) {
	value := changed(record)
	if to := textOr(c.Input.Body, "new_name", c.text("name")); to != "" {
		value["name"] = to
	}
	if c.has("color") {
		value["color"] = c.text("color")
	}
	if c.has("description") {
		value["description"] = c.Input.Body["description"]
	}
	if refused := c.checkLabel(r, value, record.ID); refused != nil {
		return answer{}, refused
	}
	was, is := kit.Text(record.Value(), "name"), kit.Text(value, "name")
	if key := labelKey(r.key(), is); key != record.ID { // a key is what the name says
		c.remove(labels, record.ID)
		value["id"], value["lid"] = key, number(record.Value(), "lid")
		c.create(labels, value)
	} else {
		c.update(labels, value)
	}
	if was != is {
		c.relabel(r, was, is)
	}
	shown := c.showLabel(r, is)
	c.notify(r, "label", map[string]any{"action": "edited", "label": shown})
	return answer{value: shown}, nil
}

// relabel puts another name, or none, in the place of a label's on all issues.
func (c *call) relabel(r repo, was, is string) {
	for record := range c.fake.store.Find(c.Tx, issues, "repo", r.key()) {
		own := cast.Texts(record.Value()["labels"])
		if !holds(own, was) {
			continue
		}
		var next []string
		for _, one := range own {
			switch {
			case !strings.EqualFold(one, was):
				next = append(next, one)
			case is != "":
				next = append(next, is)
			}
		}
		value := changed(record)
		value["labels"] = cast.Anys(next)
		c.update(issues, value)
	}
}

func deleteLabel(c *call, r repo, record *world.Record) (answer, *refusal) {
	c.notify(r, "label", map[string]any{"action": "deleted", "label": c.showLabel(r, kit.Text(record.Value(), "name"))})
	c.relabel(r, kit.Text(record.Value(), "name"), "")
	c.remove(labels, record.ID)
	return answer{status: http.StatusNoContent}, nil
}

func listIssueLabels(c *call, r repo, record *world.Record) (answer, *refusal) {
	return listed(c, cast.Texts(record.Value()["labels"]), func(one string) any { return c.showLabel(r, one) }), nil
}

// relabelIssue changes the labels of an issue by what a request names.
func relabelIssue(next func(own, given []string) []string) handler {
	return onTriaged(func(c *call, r repo, record *world.Record) (answer, *refusal) {
		var given []any
		switch body := c.Input.Content().(type) {
		case []any:
			given = body
		case map[string]any:
			given, _ = body["labels"].([]any)
		case string:
			given = []any{body}
		}
		names, refused := c.labelNames(given)
		if refused != nil {
			return answer{}, refused
		}
		own := cast.Texts(record.Value()["labels"])
		return c.setLabels(r, record, next(own, c.ensureLabels(r, names)))
	})
}

// triaged finds the repository and the issue of a call that sorts issues.
func (c *call) triaged() (repo, *world.Record, *refusal) {
	r, refused := c.writable(levelTriage)
	if refused != nil {
		return repo{}, nil, refused
	}
	record, refused := c.namedIssue(r)
	return r, record, refused
}

func (c *call) setLabels(r repo, record *world.Record, names []string) (answer, *refusal) {
	if len(names) > 100 {
		return answer{}, failed(custom("Issue", "labels may not be more than 100"))
	}
	value := changed(record)
	value["labels"] = cast.Anys(names)
	saved := c.saveIssue(record, value)
	c.tell(r, record.Value(), saved.Value())
	return answer{value: c.showLabels(r, names)}, nil
}

func added(own, given []string) []string { return unique(append(append([]string{}, own...), given...)) }

func onlyGiven(_, given []string) []string { return given }

func removeLabels(c *call, r repo, record *world.Record) (answer, *refusal) {
	if _, refused := c.setLabels(r, record, []string{}); refused != nil {
		return answer{}, refused
	}
	return answer{status: http.StatusNoContent}, nil
}

func removeLabel(c *call, r repo, record *world.Record) (answer, *refusal) {
	own, kept := cast.Texts(record.Value()["labels"]), []string{}
	for _, one := range own {
		if !strings.EqualFold(one, c.path("name")) {
			kept = append(kept, one)
		}
	}
	if len(kept) == len(own) {
		return answer{}, refusing(http.StatusNotFound, "Label does not exist")
	}
	return c.setLabels(r, record, kept)
}
