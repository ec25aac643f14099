package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"parity/profiles/policy"

	"pgregory.net/rapid"
)

func TestDecide(t *testing.T) {
	t.Parallel()
	e, err := policy.Compile("model-apis", "*.corp.example", "pricing.internal:50051", "https://hooks.example/v1", "LocalHost",
		"10.0.0.7", "[2001:db8::1]:8443", "http://old.example", "s3-*.example.net", "api.mistral.ai:8080")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		host    string
		port    int
		by      string // empty: refused
		literal bool
	}{
		{"api.openai.com", 443, "model-apis (api.openai.com)", false},
		{"API.OpenAI.com.", 443, "model-apis (api.openai.com)", false},
		{"api.openai.com", 80, "model-apis (api.openai.com)", false},
		{"api.openai.com", 22, "", false},
		{"xapi.openai.com", 443, "", false},
		{"api.openai.com.evil.example", 443, "", false},
		{"mine.openai.azure.com", 443, "model-apis (*.openai.azure.com)", false},
		{"openai.azure.com", 443, "", false},
		{"bedrock-runtime.eu-west-1.amazonaws.com", 443, "model-apis (bedrock-runtime.*.amazonaws.com)", false},
		{"bedrock-runtime.a.b.amazonaws.com", 443, "", false},
		{"us-central1-aiplatform.googleapis.com", 443, "model-apis (*-aiplatform.googleapis.com)", false},
		{"x.y-aiplatform.googleapis.com", 443, "", false},
		{"a.corp.example", 443, "*.corp.example", false},
		{"a.b.corp.example", 443, "*.corp.example", false},
		{"corp.example", 443, "", false},
		{"pricing.internal", 50051, "pricing.internal:50051", true},
		{"pricing.internal", 443, "", false},
		{"hooks.example", 443, "https://hooks.example/v1", true},
		{"hooks.example", 80, "", false},
		{"old.example", 80, "http://old.example", true},
		{"localhost", 80, "LocalHost", true},
		{"10.0.0.7", 443, "10.0.0.7", true},
		{"::ffff:10.0.0.7", 443, "10.0.0.7", true},
		{"2001:DB8::1", 8443, "[2001:db8::1]:8443", true},
		{"s3-eu.example.net", 443, "s3-*.example.net", false},
		{"s3-.example.net", 443, "", false},
		{"api.mistral.ai", 8080, "api.mistral.ai:8080", true},
		{"api.mistral.ai", 443, "model-apis (api.mistral.ai)", false},
		{"", 443, "", false},
	} {
		allowed, by := e.Decide(c.host, c.port)
		if allowed != (c.by != "") || by != c.by {
			t.Errorf("Decide(%q, %d) = %v, %q; want by %q", c.host, c.port, allowed, by, c.by)
		}
		if got := e.Literal(c.host, c.port); got != c.literal {
			t.Errorf("Literal(%q, %d) = %v", c.host, c.port, got)
		}
	}
}

func TestNothingListedLetsNothingOut(t *testing.T) {
	t.Parallel()
	var none *policy.Egress
	empty, err := policy.Compile()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []*policy.Egress{none, {}, empty} {
		if ok, _ := e.Decide("api.openai.com", 443); ok || e.Literal("localhost", 80) {
			t.Error("something got out")
		}
	}
}

func TestCompileReportsEveryProblem(t *testing.T) {
	t.Parallel()
	bad := []string{
		"", "*", "*.*", "api.*", "a..b", "model-api", "10.0.0.0/8", "ftp://x.example", "host:", "host:0", "host:65536",
		"host:1:2", "[::1", "[::1]x", "a b.example", "bücher.example", "0x7f.0.0.1", "127.1", "10.0.0.*", "0x7f000001", strings.Repeat("a", 64) + ".example",
		"**.example", "http://", strings.Repeat("a.", 140) + "example",
	}
	e, err := policy.Compile(append([]string{"fine.example"}, bad...)...)
	if e != nil || err == nil {
		t.Fatalf("got %v, %v", e, err)
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != len(bad) {
		t.Errorf("%d problems of %d are reported:\n%v", len(lines), len(bad), err)
	}
	for i, line := range lines {
		if want := fmt.Sprintf("policy.egress.tunnel: %q: ", bad[i]); !strings.HasPrefix(line, want) {
			t.Errorf("got %q, want %q...", line, want)
		}
	}
}

func TestRefusalNamesTheSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		host string
		port int
		want string
	}{
		{"evil.example", 443, "--allow evil.example,"},
		{"evil.example", 8443, "--allow evil.example:8443,"},
		{"2001:db8::1", 8443, "--allow [2001:db8::1]:8443,"},
	} {
		text := policy.Refusal(c.host, c.port)
		if !strings.Contains(text, c.want) || !strings.Contains(text, "policy.egress.tunnel") {
			t.Errorf("%s", text)
		}
	}
}

// What a refusal says to allow is then allowed.
func TestARefusalIsAWayOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		host := rapid.StringMatching(`[a-z]([a-z0-9]{0,5})(\.[a-z][a-z0-9]{0,5}){1,3}`).Draw(t, "host")
		port := rapid.IntRange(1, 65535).Draw(t, "port")
		_, rest, _ := strings.Cut(policy.Refusal(host, port), "--allow ")
		pattern, _, _ := strings.Cut(rest, ",")
		e, err := policy.Compile(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if ok, _ := e.Decide(host, port); !ok || !e.Literal(host, port) {
			t.Fatalf("%q does not allow %s:%d", pattern, host, port)
		}
	})
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{"*.a.b", "a:1", "[::1]:2", "https://x/y", "*-a.b", "model-apis"} {
		f.Add(s, "x.a.b")
	}
	f.Fuzz(func(t *testing.T, pattern, host string) {
		if len(pattern) > 200 || len(host) > 200 {
			return
		}
		e, err := policy.Compile(pattern)
		if err != nil {
			return
		}
		ok, by := e.Decide(host, 443)
		if ok && by == "" {
			t.Error("allowed by nobody")
		}
		if e.Literal(host, 443) && !ok {
			t.Error("named literally, and refused")
		}
	})
}

func ExampleEgress_Decide() {
	egress, err := policy.Compile("model-apis", "*.corp.example")
	if err != nil {
		panic(err)
	}
	fmt.Println(egress.Decide("api.anthropic.com", 443))
	fmt.Println(egress.Decide("evil.example", 443))
	// Output:
	// true model-apis (api.anthropic.com)
	// false
}
