package sendgrid

import (
	"encoding/json"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
)

// Import takes in what the real service showed: records that it listed, and
// what its acceptance of a mail implies, that the sender was verified, the
// batch made, the group there.
func (f *Fake) Import(fc *fakes.Call, status int, body []byte) {
	if fc.Operation == nil || status/100 != 2 {
		return
	}
	c := &call{Call: fc, fake: f}
	var shown any
	if len(body) > 0 && json.Unmarshal(body, &shown) != nil {
		return
	}
	shown = whole(shown)
	switch id := fc.Operation.ID; {
	case id == "POST_mail-send":
		c.importMail()
	case strings.HasPrefix(id, "GET_suppression-"):
		kind := strings.TrimSuffix(strings.TrimPrefix(id, "GET_suppression-"), "-email")
		for _, one := range cast.List(shown) {
			value := shape(cast.Object(one), fieldsOf[kind]...)
			value["id"] = strings.ToLower(cast.Text(value["email"]))
			c.importRecord(kind, cast.Text(value["id"]), value)
		}
	case fc.Operation.Method == "GET":
		c.importShown(shown)
	}
}

// importShown takes in records of a list, or one.
func (c *call) importShown(shown any) {
	collection := c.Operation.Anatomy.Collection
	all := cast.List(shown)
	if all == nil {
		m := cast.Object(shown)
		for _, items := range []string{"result", "results", "webhooks"} {
			if l, has := m[items].([]any); has {
				all = l
			}
		}
		if all == nil {
			all = []any{m}
		}
	}
	for _, one := range all {
		value := cast.Object(one)
		id := cast.Text(value["id"])
		if n, number := value["id"].(int64); number {
			id = strconv.FormatInt(n, 10)
		}
		switch collection {
		case templates:
			for _, version := range cast.List(value["versions"]) {
				c.importRecord(templateVersions, cast.Text(cast.Object(version)["id"]), cast.Object(version))
			}
			value = without(value, "versions")
		case asmGroups:
			value = without(value, "unsubscribes")
		case contacts:
			value = without(value, "_metadata")
		case lists:
			value = shape(value, "id", "name")
		case scheduledSends:
			id = cast.Text(value["batch_id"])
			c.importRecord(batches, id, map[string]any{"id": id, "batch_id": id})
			value["id"] = id
		case batches:
			id = cast.Text(value["batch_id"])
			value["id"] = id
		case verifiedSenders, domains, templateVersions, webhooks:
		default:
			continue
		}
		c.importRecord(collection, id, value)
	}
}

// importMail takes in what a mail that was taken implies.
func (c *call) importMail() {
	body := c.Input.Body
	from := strings.ToLower(cast.Text(cast.Object(body["from"])["email"]))
	if isEmail(from) && !c.verified(from) {
		value := map[string]any{"verified": true, "locked": false, "from_email": from, "reply_to": from, "nickname": from}
		for _, f := range senderFields {
			if _, set := value[f.name]; !set {
				value[f.name] = ""
			}
		}
		id := c.next(verifiedSenders, firstSender)
		value["id"] = id
		c.importRecord(verifiedSenders, strconv.FormatInt(id, 10), value)
	}
	if id := cast.Text(body["batch_id"]); id != "" {
		c.importRecord(batches, id, map[string]any{"id": id, "batch_id": id})
	}
	if group, given := cast.Object(body["asm"])["group_id"].(int64); given {
		c.importRecord(asmGroups, strconv.FormatInt(group, 10), map[string]any{"id": group, "name": "", "description": "", "is_default": false})
	}
}

// importRecord puts a record where there is none, if it is one.
func (c *call) importRecord(collection, id string, value map[string]any) {
	if _, known := c.get(collection, id); known || id == "" || len(c.Contract.CheckRecord(collection, value)) > 0 {
		return
	}
	c.put(collection, id, value)
}

// whole makes whole numbers of those that JSON gives as fractions.
func whole(v any) any {
	switch x := v.(type) {
	case float64:
		if n := int64(x); float64(n) == x {
			return n
		}
	case []any:
		for i := range x {
			x[i] = whole(x[i])
		}
	case map[string]any:
		for name := range x {
			x[name] = whole(x[name])
		}
	}
	return v
}
