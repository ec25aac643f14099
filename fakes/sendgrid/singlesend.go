package sendgrid

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// singleSendTimer is when what was scheduled for contacts goes out.
const singleSendTimer = "single-send"

// What the settings of a single send are where nothing is said.
func emptySingleSend() map[string]any {
	return map[string]any{
		"name": "", "categories": []any{}, "send_to": map[string]any{"list_ids": []any{}, "segment_ids": []any{}, "all": false},
		"email_config": map[string]any{
			"subject": "", "html_content": "", "plain_content": "", "generate_plain_content": true, "editor": "code", "suppression_group_id": nil,
			"custom_unsubscribe_url": "", "sender_id": nil, "ip_pool": "",
		},
	}
}

func noSingleSend() *refusal { return refuse(http.StatusNotFound, "", "single send not found") }

// listedSingleSend is a single send in a list.
func listedSingleSend(value map[string]any) map[string]any {
	shown := shape(value, "id", "name", "status", "categories", "send_at", "created_at", "updated_at")
	shown["is_abtest"] = false
	return shown
}

func (c *call) pageSingleSends(holds func(map[string]any) bool) (answer, *refusal) {
	size := c.count("page_size", 50)
	offset, good := offsetOf(c.query("page_token"))
	switch {
	case size < 1 || size > 100:
		return answer{}, invalid("page_size", "page_size must be between 1 and 100")
	case !good:
		return answer{}, invalid("page_token", "invalid page_token")
	}
	page, n := []any{}, 0
	c.all(singleSends, func(r *world.Record) bool {
		if holds(r.Value()) {
			if n >= offset && len(page) < size {
				page = append(page, listedSingleSend(r.Value()))
			}
			n++
		}
		return true
	})
	return ok(map[string]any{"result": page, "_metadata": c.metadata(size, offset, n)}), nil
}

func listSingleSends(c *call) (answer, *refusal) {
	return c.pageSingleSends(func(map[string]any) bool { return true })
}

func searchSingleSends(c *call) (answer, *refusal) {
	name, states, kinds := strings.ToLower(cast.Text(c.Input.Body["name"])), cast.Texts(c.Input.Body["status"]), cast.Texts(c.Input.Body["categories"])
	return c.pageSingleSends(func(value map[string]any) bool {
		return strings.Contains(strings.ToLower(cast.Text(value["name"])), name) &&
			(len(states) == 0 || slices.Contains(states, cast.Text(value["status"]))) &&
			(len(kinds) == 0 || slices.ContainsFunc(kinds, func(one string) bool { return hasAny(cast.List(value["categories"]), one) }))
	})
}

func singleSendCategories(c *call) (answer, *refusal) {
	var all []string
	c.all(singleSends, func(r *world.Record) bool {
		all = append(all, cast.Texts(r.Value()["categories"])...)
		return true
	})
	slices.Sort(all)
	return ok(map[string]any{"categories": anys(slices.Compact(all))}), nil
}

// describeSingleSend lays what was sent over a single send.
func (c *call) describeSingleSend(value map[string]any) *refusal {
	body := c.Input.Body
	if name, sent := body["name"].(string); sent {
		value["name"] = strings.TrimSpace(name)
	}
	switch name := cast.Text(value["name"]); {
	case name == "":
		return invalid("name", "name is required")
	case len([]rune(name)) > 100:
		return invalid("name", "name must be 100 characters or fewer")
	}
	if sent, is := body["categories"].([]any); is {
		value["categories"] = sent
	}
	for _, part := range []string{"send_to", "email_config"} {
		merged := maps.Clone(cast.Object(value[part]))
		maps.Copy(merged, cast.Object(body[part]))
		value[part] = merged
	}
	for field, collection := range map[string]string{"list_ids": lists, "segment_ids": segments} {
		for _, id := range cast.List(cast.Object(value["send_to"])[field]) {
			if _, known := c.get(collection, cast.Text(id)); !known {
				return invalid("send_to."+field, "list or segment "+clip(cast.Text(id))+" does not exist")
			}
		}
	}
	if id, given := cast.Object(value["email_config"])["sender_id"].(int64); given {
		if _, known := c.get(senders, strconv.FormatInt(id, 10)); !known {
			return invalid("email_config.sender_id", "sender does not exist")
		}
	}
	value["updated_at"] = iso(c.Now)
	return nil
}

func createSingleSend(c *call) (answer, *refusal) {
	value := emptySingleSend()
	if refused := c.describeSingleSend(value); refused != nil {
		return answer{}, refused
	}
	id := c.id(c.uuid)
	value["id"], value["status"], value["created_at"] = id, "draft", iso(c.Now)
	return created(c.put(singleSends, id, value).Value()), nil
}

func getSingleSend(_ *call, r *world.Record) (answer, *refusal) { return ok(r.Value()), nil }

func updateSingleSend(c *call, r *world.Record) (answer, *refusal) {
	if r.Value()["status"] != "draft" {
		return answer{}, invalid("", "only drafts can be changed")
	}
	value := maps.Clone(r.Value())
	if refused := c.describeSingleSend(value); refused != nil {
		return answer{}, refused
	}
	return ok(c.put(singleSends, r.ID, value).Value()), nil
}

func duplicateSingleSend(c *call, r *world.Record) (answer, *refusal) {
	value := maps.Clone(r.Value())
	value["name"] = "Copy of " + cast.Text(value["name"])
	if name := cast.Text(c.Input.Body["name"]); name != "" {
		value["name"] = name
	}
	id := c.uuid()
	value["id"], value["status"], value["created_at"], value["updated_at"] = id, "draft", iso(c.Now), iso(c.Now)
	delete(value, "send_at")
	return created(c.put(singleSends, id, value).Value()), nil
}

func deleteSingleSend(c *call, r *world.Record) (answer, *refusal) {
	kit.Must(name, kit.Cancel(c.Tx, name, singleSendTimer, r.ID))
	c.fake.store.Delete(c.Tx, singleSends, r.ID)
	return noContent, nil
}

func deleteSingleSends(c *call) (answer, *refusal) {
	for id := range strings.SplitSeq(c.query("ids"), ",") {
		if r, known := c.get(singleSends, strings.TrimSpace(id)); known {
			if _, refused := deleteSingleSend(c, r); refused != nil {
				return answer{}, refused
			}
		}
	}
	return noContent, nil
}

// scheduleSingleSend sets when a single send goes out: now, or at an instant.
func scheduleSingleSend(c *call, r *world.Record) (answer, *refusal) {
	at, text := c.Now, cast.Text(c.Input.Body["send_at"])
	if text != "now" {
		var err error
		if at, err = time.Parse(time.RFC3339, text); err != nil || at.Before(c.Now) {
			return answer{}, invalid("send_at", "send_at must be now or a time in the future")
		}
	}
	config, to := cast.Object(r.Value()["email_config"]), cast.Object(r.Value()["send_to"])
	problems := &refusal{status: http.StatusBadRequest}
	lacks := func(field, message string) {
		problems.problems = append(problems.problems, problem{field: field, message: message})
	}
	if cast.Text(config["subject"]) == "" {
		lacks("email_config.subject", "subject is required")
	}
	if cast.Text(config["html_content"]) == "" {
		lacks("email_config.html_content", "html_content is required")
	}
	if config["sender_id"] == nil {
		lacks("email_config.sender_id", "sender_id is required")
	}
	if config["suppression_group_id"] == nil && cast.Text(config["custom_unsubscribe_url"]) == "" {
		lacks("email_config.suppression_group_id", "either suppression_group_id or custom_unsubscribe_url is required")
	}
	if to["all"] != true && len(cast.List(to["list_ids"]))+len(cast.List(to["segment_ids"])) == 0 {
		lacks("send_to", "send_to must have at least one list or segment")
	}
	switch {
	case len(problems.problems) > 0:
		return answer{}, problems
	case r.Value()["status"] == "triggered":
		return answer{}, invalid("", "this single send was sent already")
	}
	value := maps.Clone(r.Value())
	value["status"], value["send_at"], value["updated_at"] = "scheduled", iso(at), iso(c.Now)
	c.put(singleSends, r.ID, value)
	c.after(at.Sub(c.Now), singleSendTimer, r.ID)
	return created(map[string]any{"send_at": iso(at), "status": "scheduled"}), nil
}

func unscheduleSingleSend(c *call, r *world.Record) (answer, *refusal) {
	if r.Value()["status"] != "scheduled" {
		return answer{}, invalid("", "this single send is not scheduled")
	}
	kit.Must(name, kit.Cancel(c.Tx, name, singleSendTimer, r.ID))
	value := maps.Clone(r.Value())
	value["status"], value["updated_at"] = "draft", iso(c.Now)
	delete(value, "send_at")
	c.put(singleSends, r.ID, value)
	return ok(map[string]any{"status": "draft"}), nil
}

// trigger sends a single send to the contacts that it is for, to each a mail.
func (c *call) trigger(id string) {
	r, known := c.get(singleSends, id)
	if !known || r.Value()["status"] != "scheduled" {
		return
	}
	value := maps.Clone(r.Value())
	value["status"], value["updated_at"] = "triggered", iso(c.Now)
	c.put(singleSends, id, value)
	config, to := cast.Object(value["email_config"]), cast.Object(value["send_to"])
	mail := map[string]any{
		"subject": config["subject"], "categories": value["categories"],
		"content": parts(cast.Text(config["plain_content"]), cast.Text(config["html_content"]), nil),
	}
	if n, given := config["sender_id"].(int64); given {
		if sender, there := c.get(senders, strconv.FormatInt(n, 10)); there {
			mail["from"] = sender.Value()["from"]
		}
	}
	if group, given := config["suppression_group_id"].(int64); given {
		mail["asm"] = map[string]any{"group_id": group}
	}
	var all []any
	c.all(contacts, func(one *world.Record) bool {
		v := one.Value()
		in := to["all"] == true || slices.ContainsFunc(cast.List(to["list_ids"]), func(id any) bool { return hasAny(cast.List(v["list_ids"]), id) })
		if !in && len(cast.List(to["segment_ids"])) > 0 {
			mine := c.segmentsOf(v)
			in = slices.ContainsFunc(cast.List(to["segment_ids"]), func(id any) bool { return hasAny(mine, id) })
		}
		if in {
			all = append(all, map[string]any{"to": []any{map[string]any{"email": v["email"]}}})
		}
		return true
	})
	mail["personalizations"] = all
	for n := range all {
		c.dispatch(newEnvelope(c, c.NewID("", 22)+"."+strconv.Itoa(n), n, mail))
	}
}
