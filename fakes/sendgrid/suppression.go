package sendgrid

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// mostSuppressed is the longest page.
const mostSuppressed = 500

// fieldsOf says what each kind of suppression shows.
var fieldsOf = map[string][]string{
	bounces:       {"created", "email", "reason", "status"},
	blocks:        {"created", "email", "reason", "status"},
	spamReports:   {"created", "email", "ip"},
	invalidEmails: {"created", "email", "reason"},
	unsubscribes:  {"created", "email"},
}

// listSuppressed lists addresses, newest first, between two instants.
func listSuppressed(kind string) handler {
	return func(c *call) (answer, *refusal) {
		limit, offset := c.count("limit", mostSuppressed), c.count("offset", 0)
		if limit < 1 || limit > mostSuppressed {
			limit = mostSuppressed
		}
		if offset < 0 {
			return answer{}, invalid("offset", "offset must be a positive integer")
		}
		start, end := c.count("start_time", 0), c.count("end_time", 0)
		email := c.query("email")
		page, total := []any{}, 0
		narrowed := start != 0 || end != 0 || email != ""
		c.all(kind, func(r *world.Record) bool {
			at, _ := r.Value()["created"].(int64)
			if start != 0 && at < int64(start) || end != 0 && at > int64(end) || email != "" && !strings.Contains(r.ID, strings.ToLower(email)) {
				return true
			}
			if total >= offset && len(page) < limit {
				page = append(page, shape(r.Value(), fieldsOf[kind]...))
			}
			total++
			return narrowed || total < offset+limit
		})
		if !narrowed {
			total = c.Tx.Len(full(kind))
		}
		a := ok(page)
		a.header = []string{"Link", c.pages(limit, offset, total)}
		return a, nil
	}
}

// pages links to the pages beside this one.
// Source: twilio.com/docs/sendgrid/api-reference/how-to-use-the-sendgrid-v3-api/pagination.
func (c *call) pages(limit, offset, total int) string {
	if _, asked := c.Input.Query["limit"]; !asked {
		return ""
	}
	last := max(0, (total-1)/limit*limit)
	link := func(rel string, at int) string {
		query := url.Values{}
		for name, value := range c.Input.Query {
			query.Set(name, fmt.Sprint(value))
		}
		query.Set("limit", fmt.Sprint(limit))
		query.Set("offset", fmt.Sprint(at))
		return fmt.Sprintf(`<%s%s?%s>; rel="%s"; title="%d"`, c.Base, c.Operation.Path, query.Encode(), rel, at/limit+1)
	}
	var links []string
	if offset+limit < total {
		links = append(links, link("next", offset+limit))
	}
	if offset > 0 {
		links = append(links, link("prev", max(0, offset-limit)))
	}
	return strings.Join(append(links, link("last", last), link("first", 0)), ", ")
}

func getSuppressed(kind string) handler {
	return func(c *call) (answer, *refusal) {
		record, known := c.get(kind, strings.ToLower(c.Input.Path["email"]))
		if !known {
			return ok([]any{}), nil
		}
		return ok([]any{shape(record.Value(), fieldsOf[kind]...)}), nil
	}
}

func deleteSuppressed(kind string) handler {
	return func(c *call) (answer, *refusal) {
		id := strings.ToLower(c.Input.Path["email"])
		if _, known := c.get(kind, id); !known {
			return answer{}, notFound()
		}
		c.fake.store.Delete(c.Tx, kind, id)
		return noContent, nil
	}
}

// clearSuppressed deletes all addresses, or those that are named.
func clearSuppressed(kind string) handler {
	return func(c *call) (answer, *refusal) {
		all, emails := c.Input.Body["delete_all"] == true, cast.List(c.Input.Body["emails"])
		switch {
		case all && len(emails) > 0:
			return answer{}, invalid("", "delete_all and emails may not be used together")
		case !all && len(emails) == 0:
			return answer{}, invalid("", "either delete_all or emails is required")
		}
		var gone []string
		c.all(kind, func(r *world.Record) bool {
			if all {
				gone = append(gone, r.ID)
			}
			return all
		})
		for _, one := range emails {
			id := strings.ToLower(cast.Text(one))
			if _, known := c.get(kind, id); known {
				gone = append(gone, id)
			}
		}
		for _, id := range gone {
			if _, still := c.get(kind, id); still { // named twice
				c.fake.store.Delete(c.Tx, kind, id)
			}
		}
		return noContent, nil
	}
}

// unsubscribeGlobally adds addresses to those who want no mail.
func unsubscribeGlobally(c *call, emails []string) (answer, *refusal) {
	for _, email := range emails {
		if _, known := c.get(unsubscribes, strings.ToLower(email)); known {
			continue
		}
		id := strings.ToLower(email)
		c.put(unsubscribes, id, map[string]any{"id": id, "created": c.Now.Unix(), "email": email})
	}
	return created(map[string]any{"recipient_emails": anys(emails)}), nil
}

// addresses reads recipient_emails.
func (c *call) addresses() ([]string, *refusal) {
	given := cast.List(c.Input.Body["recipient_emails"])
	if len(given) == 0 {
		return nil, invalid("recipient_emails", "recipient_emails must contain at least one email")
	}
	emails := make([]string, len(given))
	for i, one := range given {
		if emails[i] = cast.Text(one); !isEmail(emails[i]) {
			return nil, invalid("recipient_emails", "invalid email address: "+clip(emails[i]))
		}
	}
	return emails, nil
}

// getGlobal answers with nothing where an address wants mail.
func getGlobal(c *call) (answer, *refusal) {
	record, known := c.get(unsubscribes, strings.ToLower(c.Input.Path["email"]))
	if !known {
		return ok(map[string]any{}), nil
	}
	return ok(map[string]any{"recipient_email": record.Value()["email"]}), nil
}

func resubscribeGlobally(c *call) (answer, *refusal) {
	id := strings.ToLower(c.Input.Path["email"])
	if _, known := c.get(unsubscribes, id); known {
		c.fake.store.Delete(c.Tx, unsubscribes, id)
	}
	return answer{status: http.StatusNoContent}, nil
}
