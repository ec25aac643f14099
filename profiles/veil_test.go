package profiles

import "testing"

// An operation with parameters is written as its documentation writes it, inside
// braces too, which by itself is not YAML.
func TestOperationsInsideBraces(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a: {once_read: zendesk GET /api/v2/tickets/{id}, set: {status: solved}}":               "zendesk GET /api/v2/tickets/{id}",
		"a: {once_read: zendesk GET /api/v2/tickets/{id}}":                                      "zendesk GET /api/v2/tickets/{id}",
		"a: {once_read: [crm GET /a/{b}/c/{d}, crm PUT /a/{b}]}":                                "",
		"a: {crm POST /contacts/{id}/archive: reversible}":                                      "reversible",
		"a:\n  once_read: zendesk GET /api/v2/tickets/{id}":                                     "zendesk GET /api/v2/tickets/{id}",
		"a: {once_read: \"zendesk GET /api/v2/tickets/{id}\", b: crm GET /{x}}":                 "zendesk GET /api/v2/tickets/{id}",
		"a: {once_read: 'zendesk GET /api/v2/tickets/{id}'} # zendesk GET /api/v2/tickets/{id}": "zendesk GET /api/v2/tickets/{id}",
	} {
		f := &finder{}
		n := readDocument(f, "p.yaml", []byte(text))
		if n == nil {
			t.Errorf("%s: not read: %v", text, f.found)
			continue
		}
		if got := n.Content[1].Content[1].Value; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"a: {once_read: zendesk GET /api/{id}, b: [}", "a: {b: {c}", "a: {once_read: x GET /\uE000{id}}"} {
		f := &finder{}
		if n := readDocument(f, "p.yaml", []byte(text)); n != nil {
			t.Errorf("%s: read as if it were YAML", text)
		}
	}
}
