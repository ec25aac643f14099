package sendgrid

import (
	"maps"
	"net/url"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// mostTemplates an account may have, of each generation, and versions of each.
// Source: twilio.com/docs/sendgrid/ui/sending-email/how-to-send-an-email-with-dynamic-templates.
const mostTemplates = 300

// shownTemplate is a template with its versions, newest first. In lists they
// come without their content.
func (c *call) shownTemplate(r *world.Record, content bool) map[string]any {
	value := maps.Clone(r.Value())
	all := []any{}
	for version := range c.fake.store.Find(c.Tx, templateVersions, "template_id", r.ID) {
		if content {
			all = append(all, version.Value())
		} else {
			all = append(all, without(version.Value(), "html_content", "plain_content", "test_data", "warnings"))
		}
	}
	value["versions"] = all
	return value
}

// listTemplates lists templates of the generations that are asked for; legacy
// ones when nobody asks.
func listTemplates(c *call) (answer, *refusal) {
	wanted := map[string]bool{}
	for generation := range strings.SplitSeq(c.query("generations"), ",") {
		switch generation = strings.TrimSpace(generation); generation {
		case "":
			wanted["legacy"] = true
		case "legacy", "dynamic":
			wanted[generation] = true
		default:
			return answer{}, invalid("generations", "invalid generations: must be one of legacy, dynamic or legacy,dynamic")
		}
	}
	size := c.count("page_size", 0)
	if _, asked := c.Input.Query["page_size"]; asked && (size < 1 || size > 200) {
		return answer{}, invalid("page_size", "page_size must be between 1 and 200")
	} else if !asked {
		size = 200
	}
	offset, good := offsetOf(c.query("page_token"))
	if !good {
		return answer{}, invalid("page_token", "invalid page_token")
	}
	page, n := []any{}, 0
	c.all(templates, func(r *world.Record) bool {
		if wanted[cast.Text(r.Value()["generation"])] {
			if n >= offset && len(page) < size {
				page = append(page, c.shownTemplate(r, false))
			}
			n++
		}
		return true
	})
	metadata := c.metadata(size, offset, n)
	return ok(map[string]any{"result": page, "_metadata": metadata}), nil
}

// metadata links to the pages beside this one, by tokens.
func (c *call) metadata(size, offset, total int) map[string]any {
	link := func(at int) string {
		query := url.Values{}
		for name, value := range c.Input.Query {
			if text, ok := value.(string); ok {
				query.Set(name, text)
			}
		}
		query.Set("page_size", strconv.Itoa(size))
		query.Set("page_token", tokenOf(at))
		return c.Base + c.Operation.Path + "?" + query.Encode()
	}
	m := map[string]any{"self": link(offset), "count": int64(total)}
	if offset > 0 {
		m["prev"] = link(max(0, offset-size))
	}
	if offset+size < total {
		m["next"] = link(offset + size)
	}
	return m
}

func createTemplate(c *call) (answer, *refusal) {
	name, generation := cast.Text(c.Input.Body["name"]), cast.Text(c.Input.Body["generation"])
	if name == "" {
		return answer{}, invalid("name", "name is required")
	}
	if generation == "" {
		generation = "legacy"
	}
	record, refused := c.newTemplate(name, generation)
	if refused != nil {
		return answer{}, refused
	}
	return created(c.shownTemplate(record, true)), nil
}

func (c *call) newTemplate(name, generation string) (*world.Record, *refusal) {
	n := 0
	for range c.fake.store.Find(c.Tx, templates, "generation", generation) {
		n++
	}
	if n >= mostTemplates {
		return nil, invalid("", "You have reached the maximum number of templates for your account.")
	}
	id := c.id(func() string {
		if generation == "dynamic" {
			return "d-" + c.hex(32)
		}
		return c.uuid()
	})
	value := map[string]any{"id": id, "name": name, "generation": generation, "updated_at": stamp(c.Now)}
	c.laid(value, "updated_at")
	return c.put(templates, id, value), nil
}

func (c *call) template() (*world.Record, *refusal) {
	return c.member(templates, "template_id", noTemplate())
}

func getTemplate(c *call, record *world.Record) (answer, *refusal) {
	return ok(c.shownTemplate(record, true)), nil
}

func updateTemplate(c *call, record *world.Record) (answer, *refusal) {
	name, sent := c.Input.Body["name"].(string)
	if !sent || name == "" {
		return answer{}, invalid("name", "name is required")
	}
	value := maps.Clone(record.Value())
	value["name"], value["updated_at"] = name, stamp(c.Now)
	return ok(c.shownTemplate(c.put(templates, record.ID, value), true)), nil
}

// duplicateTemplate copies a template with all its versions.
func duplicateTemplate(c *call, record *world.Record) (answer, *refusal) {
	name := cast.Text(c.Input.Body["name"])
	if name == "" {
		name = "Duplicate: " + cast.Text(record.Value()["name"])
	}
	copied, refused := c.newTemplate(name, cast.Text(record.Value()["generation"]))
	if refused != nil {
		return answer{}, refused
	}
	var versions []*world.Record
	for version := range c.fake.store.Find(c.Tx, templateVersions, "template_id", record.ID) {
		versions = append(versions, version)
	}
	for i := len(versions) - 1; i >= 0; i-- { // oldest first
		value := maps.Clone(versions[i].Value())
		value["id"], value["template_id"], value["updated_at"] = c.uuid(), copied.ID, stamp(c.Now)
		c.put(templateVersions, cast.Text(value["id"]), value)
	}
	return created(c.shownTemplate(copied, true)), nil
}

func deleteTemplate(c *call, record *world.Record) (answer, *refusal) {
	var gone []string
	for version := range c.fake.store.Find(c.Tx, templateVersions, "template_id", record.ID) {
		gone = append(gone, version.ID)
	}
	for _, id := range gone {
		c.fake.store.Delete(c.Tx, templateVersions, id)
	}
	c.fake.store.Delete(c.Tx, templates, record.ID)
	return noContent, nil
}
