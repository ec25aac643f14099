package sendgrid

import (
	"maps"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// version finds the version that the path names, of the template that it names.
func (c *call) version() (*world.Record, *refusal) {
	template, refused := c.template()
	if refused != nil {
		return nil, refused
	}
	record, refused := c.member(templateVersions, "version_id", noTemplate())
	if refused == nil && record.Value()["template_id"] != template.ID {
		return nil, noTemplate()
	}
	return record, refused
}

func createVersion(c *call, template *world.Record) (answer, *refusal) {
	if cast.Text(c.Input.Body["name"]) == "" {
		return answer{}, invalid("name", "name is required")
	}
	if _, sent := c.Input.Body["subject"]; !sent && template.Value()["generation"] == "legacy" {
		return answer{}, invalid("subject", "subject is required")
	}
	n := 0
	for range c.fake.store.Find(c.Tx, templateVersions, "template_id", template.ID) {
		n++
	}
	if n >= mostTemplates {
		return answer{}, invalid("", "You have reached the maximum number of versions for this template.")
	}
	id := c.uuid()
	value := map[string]any{
		"id": id, "template_id": template.ID, "active": int64(0), "html_content": "", "plain_content": "",
		"generate_plain_content": true, "subject": "", "editor": "code", "thumbnail_url": "//us-east-2-production-thumbnail-bucket.s3.amazonaws.com/" + c.hex(32) + ".png",
	}
	if n == 0 { // the first one is what is sent
		value["active"] = int64(1)
	}
	if refused := c.describeVersion(value, template); refused != nil {
		return answer{}, refused
	}
	return created(c.saveVersion(template, value).Value()), nil
}

// describeVersion lays what was sent over a version. A dynamic one must be
// Handlebars that can be read.
func (c *call) describeVersion(value map[string]any, template *world.Record) *refusal {
	for _, field := range []string{"active", "name", "html_content", "plain_content", "generate_plain_content", "subject", "editor", "test_data"} {
		if sent, has := c.Input.Body[field]; has {
			value[field] = sent
		}
	}
	if template.Value()["generation"] == "dynamic" {
		for _, field := range []string{"subject", "html_content", "plain_content"} {
			if _, err := parseTemplate(cast.Text(value[field])); err != nil {
				return invalid(field, "Handlebars template is invalid: "+err.Error())
			}
		}
		return nil
	}
	if value["plain_content"] == "" && value["generate_plain_content"] == true {
		value["plain_content"] = plainOf(cast.Text(value["html_content"]))
	}
	return nil
}

// saveVersion writes a version. One at most is active.
func (c *call) saveVersion(template *world.Record, value map[string]any) *world.Record {
	value["updated_at"] = stamp(c.Now)
	id := cast.Text(value["id"])
	if value["active"] == int64(1) {
		var others []*world.Record
		for other := range c.fake.store.Find(c.Tx, templateVersions, "template_id", template.ID) {
			if other.ID != id && other.Value()["active"] == int64(1) {
				others = append(others, other)
			}
		}
		for _, other := range others {
			off := maps.Clone(other.Value())
			off["active"] = int64(0)
			c.put(templateVersions, other.ID, off)
		}
	}
	record := c.put(templateVersions, id, value)
	changed := maps.Clone(template.Value())
	changed["updated_at"] = value["updated_at"]
	c.put(templates, template.ID, changed)
	return record
}

func getVersion(c *call, record *world.Record) (answer, *refusal) {
	return ok(record.Value()), nil
}

func updateVersion(c *call, record *world.Record) (answer, *refusal) {
	template, _ := c.template()
	value := maps.Clone(record.Value())
	if refused := c.describeVersion(value, template); refused != nil {
		return answer{}, refused
	}
	return ok(c.saveVersion(template, value).Value()), nil
}

func activateVersion(c *call, record *world.Record) (answer, *refusal) {
	template, _ := c.template()
	value := maps.Clone(record.Value())
	value["active"] = int64(1)
	return ok(c.saveVersion(template, value).Value()), nil
}

func deleteVersion(c *call, record *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, templateVersions, record.ID)
	return noContent, nil
}
