package zendesk_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"parity/fakes/zendesk"
)

// Whatever is sent is answered: no operation panics, whatever its body, its
// query and its ids are.
func TestWhateverIsSentIsAnswered(t *testing.T) {
	t.Parallel()
	service, err := zendesk.New()
	if err != nil {
		t.Fatal(err)
	}
	odd := []any{nil, true, -1, 1.5, "x", "5", []any{1, "a", nil, object{}}, object{"id": 5, "body": 5}}
	fields := []string{
		"subject", "comment", "status", "priority", "type", "tags", "additional_tags", "remove_tags", "custom_fields", "fields", "requester", "requester_id", "assignee_id", "assignee_email",
		"group_id", "problem_id", "due_at", "collaborators", "followers", "email_ccs", "collaborator_ids", "safe_update", "updated_stamp", "via_followup_source_id", "external_id",
		"name", "email", "role", "organization_id", "user_fields", "domain_names", "notes", "title", "conditions", "all", "any", "output", "actions", "body", "label_names", "draft", "position",
		"endpoint", "subscriptions", "authentication", "custom_headers", "signing_secret", "value", "user_id", "key", "custom_field_options", "active", "nickname", "section_id", "locale",
	}
	queries := []string{"", "?page=-1", "?page=x", "?page[size]=1&page[after]=%00", "?page[before]=eyJvIjoiaWQiLCJ2IjoiY0RFPSJ9", "?ids=1,x,,99999999999999999999", "?sort=-nothing&include=users,nonsense,tickets(users)", "?query=%22status%3A+-&filter[type]=ticket", "?query=created%3C99999999999999years+*+-%22", "?start_time=-5", "?start_time=1&cursor=MXwx", "?async=true", "?role=agent&role=x&external_id=1", "?filename=a&token=b", "?label_names=,&created_after=x"}
	made := rig(t)
	ticket(made, object{"requester": object{"name": "Ada", "email": "ada@example.com"}})
	base := made.World
	for _, operation := range service.Contract.Operations {
		for _, known := range []string{"1", "360000000001", "360000000500", "0", "en-us"} {
			path := operation.Path
			for strings.Contains(path, "{") {
				from, to := strings.IndexByte(path, '{'), strings.IndexByte(path, '}')
				path = path[:from] + known + path[to+1:]
			}
			for i, query := range queries {
				if i > 0 && known == "0" || i > 1 && operation.Method != "GET" { // nothing is read of these
					break
				}
				made.World = base
				if g := made.Send(operation.Method, path+query, ""); g.Status == 0 || g.Status >= 500 {
					t.Errorf("%s %s%s: %d", operation.Method, path, query, g.Status)
				}
			}
			if len(operation.BodyKinds()) == 0 || operation.Method == "DELETE" || known != "1" && (known != "360000000001" || !strings.Contains(path, "/users/")) {
				continue
			}
			for _, value := range odd {
				for _, wrapped := range []string{"ticket", "user", "organization", "group", "request", "view", "macro", "article", "webhook", "ticket_field", "identity", "group_membership"} {
					if !strings.HasSuffix(path, "/"+wrapped+"s") && !strings.Contains(path, "/"+wrapped+"s/") {
						continue
					}
					for _, field := range fields {
						made.World = base
						said := object{"name": "N", "title": "T", "subject": "S", "comment": "C", "value": "a@b.example", field: value}
						body, err := json.Marshal(object{wrapped: said, wrapped + "s": []any{said, value}, "tags": value, "ids": value})
						if err != nil {
							t.Fatal(err)
						}
						if g := made.Send(operation.Method, path, string(body), "Content-Type", "application/json"); g.Status == 0 || g.Status >= 500 {
							t.Errorf("%s %s %s: %d", operation.Method, path, body, g.Status)
						}
						if strings.HasSuffix(path, "_many") {
							now := made.Now
							made.Wait(5 * time.Second) // what the job makes of it
							made.Now = now
						}
					}
				}
			}
		}
	}
}
