package specs_test

import (
	"testing"

	"parity/specs"
)

// The secret of an incoming webhook is a part of its path.
func TestSecretsInPathsAreTakenOut(t *testing.T) {
	t.Parallel()
	contract, err := specs.Builtin("slack")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/services/T1/B1/abcDEF123": "/services/T1/B1/(redacted)",
		"/api/auth.test":            "/api/auth.test",
	} {
		m := contract.Match("POST", path)
		if m.Operation == nil {
			t.Fatalf("%s is not matched", path)
		}
		if got := m.Operation.RedactPath(path, m.Path, specs.Plainly); got != want {
			t.Errorf("%s is kept as %s, want %s", path, got, want)
		}
	}
}
