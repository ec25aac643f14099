package profiles_test

import (
	"errors"
	"strings"
	"testing"

	"parity/faults"
	"parity/profiles"
)

// chat is a service of one's own, for faults that no built-in service can have.
const chat = `openapi: 3.1.0
info: {title: Chat, version: "1"}
paths:
  /v1/messages:
    post:
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {"200": {description: OK, content: {text/event-stream: {schema: {type: string}}}}}
`

// What the documentation shows can be pasted into a profile that binds the
// service, and does something there.
func TestEveryExampleOfAFaultLintsClean(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"chat.yaml": chat})
	for _, f := range faults.Catalogue() {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			content := "profile: example\nservices:\n"
			for _, s := range catalogue(t).Names() {
				if strings.Contains(f.Example, s+" ") || strings.Contains(f.Example, s+".") {
					content += "  " + s + ": {}\n"
				}
			}
			if strings.Contains(f.Example, "acme-chat ") {
				content += "  acme-chat: {contract: chat.yaml}\n"
			}
			if !strings.Contains(content, ": {") {
				content += "  stripe: {}\n"
			}
			content += "faults:\n  " + strings.ReplaceAll(f.Example, "\n", "\n  ") + "\n"
			p, err := profiles.Parse("example.yaml", []byte(content), options(t, dir))
			var problems profiles.Problems
			switch {
			case errors.As(err, &problems), err != nil:
				t.Fatalf("mend the Example of %s in faults/:\n%v\n%s", f.Name, err, content)
			case len(p.Rules) != 1 || p.Rules[0].Fault.Name != f.Name:
				t.Errorf("the Example of %s is to be one rule that injects it:\n%s", f.Name, content)
			}
			for _, w := range p.Warnings {
				if !strings.Contains(w.File, "chat") {
					t.Errorf("mend the Example of %s in faults/: %v\n%s", f.Name, w, content)
				}
			}
		})
	}
}
