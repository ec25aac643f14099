package sendgrid

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A sender identity is verified by a link that is mailed to its address and is
// good for 48 hours.
// Source: twilio.com/docs/sendgrid/ui/sending-email/sender-verification.
const (
	firstSender    = 2410388
	verifyLife     = 48 * time.Hour
	mostSenders    = 100
	senderVerifier = "https://app.sendgrid.com/settings/sender_auth/senders/verify?token="
)

// senderFields and how long each may be.
var senderFields = []struct {
	name     string
	most     int
	required bool
}{
	{"nickname", 100, true},
	{"from_email", 256, true},
	{"from_name", 256, false},
	{"reply_to", 256, true},
	{"reply_to_name", 256, false},
	{"address", 100, false},
	{"address2", 100, false},
	{"state", 2, false},
	{"city", 150, false},
	{"zip", 10, false},
	{"country", 100, false},
}

func listSenders(c *call) (answer, *refusal) {
	limit, after, only := c.count("limit", 50), c.count("lastSeenID", 0), c.count("id", 0)
	all, seen := []any{}, after == 0
	for r := range c.Tx.Oldest(full(verifiedSenders), 0) {
		id, _ := r.Value()["id"].(int64)
		switch {
		case !seen:
			seen = int(id) == after
		case only != 0 && int(id) != only:
		case len(all) < limit:
			all = append(all, r.Value())
		}
	}
	return ok(map[string]any{"results": all}), nil
}

func createSender(c *call) (answer, *refusal) {
	value := map[string]any{"verified": false, "locked": false}
	for _, f := range senderFields {
		value[f.name] = ""
	}
	if refused := c.describeSender(value); refused != nil {
		return answer{}, refused
	}
	id := c.next(verifiedSenders, firstSender)
	value["id"] = id
	c.laid(value, "verified", "locked")
	record := c.put(verifiedSenders, strconv.FormatInt(id, 10), value)
	c.askSender(record)
	return created(record.Value()), nil
}

// describeSender lays what was sent over an identity.
func (c *call) describeSender(value map[string]any) *refusal {
	r := &refusal{status: http.StatusBadRequest}
	for _, f := range senderFields {
		if sent, has := c.Input.Body[f.name].(string); has {
			value[f.name] = sent
		}
		text := cast.Text(value[f.name])
		switch {
		case f.required && text == "":
			r.problems = append(r.problems, problem{field: f.name, message: f.name + " is required", id: "required"})
		case len([]rune(text)) > f.most:
			r.problems = append(r.problems, problem{field: f.name, message: fmt.Sprintf("%s must be at most %d characters", f.name, f.most), id: "too_long"})
		case (f.name == "from_email" || f.name == "reply_to") && !isEmail(text):
			r.problems = append(r.problems, problem{field: f.name, message: "must be a valid email address", id: "invalid"})
		}
	}
	if len(r.problems) > 0 {
		return r
	}
	self, _ := value["id"].(int64)
	taken := false
	c.all(verifiedSenders, func(o *world.Record) bool {
		taken = o.Value()["id"] != self && (strings.EqualFold(cast.Text(o.Value()["from_email"]), cast.Text(value["from_email"])) || o.Value()["nickname"] == value["nickname"])
		return !taken
	})
	if taken {
		return badSender(http.StatusBadRequest, "from_email", "already exists", "duplicate")
	}
	if c.Tx.Len(full(verifiedSenders)) >= mostSenders {
		return badSender(http.StatusBadRequest, "", "maximum number of sender identities reached", "limit")
	}
	return nil
}

// askSender mails the link that verifies an identity.
func (c *call) askSender(record *world.Record) {
	if c.Identity == fakes.Fixture {
		return
	}
	token := c.NewID("", 32)
	c.keep(tokensOfSenders, token, map[string]any{"id": token, "sender": record.ID, "expires": c.Now.Add(verifyLife).Unix()})
	to := cast.Text(record.Value()["from_email"])
	if err := kit.Send(c.Tx, fakes.Sent{
		Service: name, Kind: "sender-verification", ID: record.ID, To: []string{to}, Summary: "Please verify your single sender", At: c.Now,
		Content: map[string]any{"token": token, "link": senderVerifier + token},
	}); err != nil {
		panic("sendgrid fake: " + err.Error())
	}
}

// badSender is an error of this part of the API: each has an id, and a field
// only where one is at fault.
// Source: the vendor's contract.
func badSender(status int, field, message, id string) *refusal {
	return &refusal{status: status, unplaced: true, problems: []problem{{field: field, message: message, id: id}}}
}

func noSender() *refusal { return badSender(http.StatusNotFound, "", "not found", "not_found") }

func (c *call) sender() (*world.Record, *refusal) {
	return c.member(verifiedSenders, "id", noSender())
}

func updateSender(c *call, record *world.Record) (answer, *refusal) {
	if record.Value()["locked"] == true {
		return answer{}, badSender(http.StatusBadRequest, "", "this sender is locked", "locked")
	}
	value := maps.Clone(record.Value())
	if refused := c.describeSender(value); refused != nil {
		return answer{}, refused
	}
	again := !strings.EqualFold(cast.Text(value["from_email"]), cast.Text(record.Value()["from_email"]))
	if again {
		value["verified"] = false
	}
	changed := c.put(verifiedSenders, record.ID, value)
	if again {
		c.askSender(changed)
	}
	return ok(changed.Value()), nil
}

func deleteSender(c *call, record *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, verifiedSenders, record.ID)
	return noContent, nil
}

func resendSender(c *call, record *world.Record) (answer, *refusal) {
	if record.Value()["verified"] == true {
		return answer{}, badSender(http.StatusBadRequest, "", "already verified", "already_verified")
	}
	c.askSender(record)
	return noContent, nil
}

func verifySender(c *call) (answer, *refusal) {
	token, known := c.Tx.Get(tokensOfSenders, c.Input.Path["token"])
	if !known {
		return answer{}, noSender()
	}
	expires, _ := token.Value()["expires"].(int64)
	record, still := c.get(verifiedSenders, cast.Text(token.Value()["sender"]))
	if !still || c.Now.Unix() >= expires {
		return answer{}, noSender()
	}
	value := maps.Clone(record.Value())
	value["verified"] = true
	c.put(verifiedSenders, record.ID, value)
	c.drop(tokensOfSenders, token.ID)
	return noContent, nil
}

// poorDomains are those whose policies make receivers refuse what others send
// in their name.
func poorDomains(*call) (answer, *refusal) {
	return ok(map[string]any{"results": map[string]any{"soft_failures": []any{"gmail.com"}, "hard_failures": []any{"yahoo.com", "aol.com"}}}), nil
}

func stepsCompleted(c *call) (answer, *refusal) {
	sender, domain := false, false
	c.all(verifiedSenders, func(r *world.Record) bool { sender = sender || r.Value()["verified"] == true; return !sender })
	c.all(domains, func(r *world.Record) bool { domain = domain || r.Value()["valid"] == true; return !domain })
	return ok(map[string]any{"results": map[string]any{"sender_verified": sender, "domain_verified": domain}}), nil
}
