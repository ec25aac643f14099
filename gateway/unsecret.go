package gateway

import (
	"regexp"

	"parity/specs"
)

// What looks like a secret: by the name of its field, or by how credentials of
// services begin. Where records come from the real service no contract says
// enough of what is one.
var (
	secretNames  = regexp.MustCompile(`(?i)(^|[_-])(secret|password|passwd|credentials?|authorization|api_?-?key|private_?-?key)$|(?i)(access|refresh|auth|bearer|session|id)[_-]?token$|^token$|[a-z](Secret|Password|ApiKey|PrivateKey)$`)
	secretValues = regexp.MustCompile(`\b((sk|rk)_(live|test)_|whsec_|gh[pousr]_|github_pat_|xox[a-z]-|xapp-|ya29\.|SG\.|pat-[a-z]+[0-9]-|AKIA|eyJ[A-Za-z0-9_-]+\.eyJ)[A-Za-z0-9._-]+|(?i)\bbearer\s+[A-Za-z0-9._~+/-]{8,}=*|-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(-----END [A-Z ]*PRIVATE KEY-----)?`)
)

// withoutSecrets copies a value without what looks like one, and counts those.
func withoutSecrets(value any) (clean any, n int) {
	switch v := value.(type) {
	case string:
		clean = secretValues.ReplaceAllStringFunc(v, func(string) string { n++; return specs.Redacted })
		return clean, n
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			inner := 0
			list[i], inner = withoutSecrets(item)
			n += inner
		}
		return list, n
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, inner := range v {
			if text, ok := inner.(string); ok && text != "" && secretNames.MatchString(name) {
				object[name] = specs.Redacted
				n++
				continue
			}
			some := 0
			object[name], some = withoutSecrets(inner)
			n += some
		}
		return object, n
	}
	return value, 0
}
