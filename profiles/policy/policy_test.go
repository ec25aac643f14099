package policy_test

import (
	"fmt"
	"slices"
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
		text := (*policy.Egress)(nil).Refusal(c.host, c.port)
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
		_, rest, _ := strings.Cut((*policy.Egress)(nil).Refusal(host, port), "--allow ")
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

// services are hosts as fakes have them.
func services() map[string][]string {
	return map[string][]string{"github": {"api.github.com", "uploads.github.com"}, "zendesk": {"*.zendesk.com"}, "calendar": {"www.googleapis.com"}, "mine": {"10.1.2.3"}}
}

// What is played, or moves money, gets out by no pattern for many, on no port,
// however it is written; nor does what tells not whose it is.
func TestWhatIsPlayedIsNeverTunnelledByAccident(t *testing.T) {
	t.Parallel()
	e, err := policy.New(policy.Terms{Mode: policy.Tool, Services: services(), Tunnel: []string{
		"*.github.com", "*.com", "*.googleapis.com", "mine.zendesk.com", "uploads.github.com:443", "*.paypal.com", "10.0.0.7", "*.corp.example",
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		host string
		port int
		by   string
	}{
		{"api.github.com", 443, ""},
		{"API.GitHub.com.", 443, ""},
		{"api.github.com", 22, ""},
		{"api.github.com", 8443, ""},
		{"theirs.zendesk.com", 443, ""},
		{"www.googleapis.com", 443, ""},
		{"10.1.2.3", 443, ""},
		{"api.stripe.com", 443, ""},
		{"api-m.paypal.com", 443, ""},
		{"abc-checkout-live.adyenpayments.com", 443, ""},
		{"vkuhvk4v.api.checkout.com", 8080, ""},
		{"uploads.github.com", 443, "uploads.github.com:443"},
		{"uploads.github.com", 80, ""},
		{"mine.zendesk.com", 443, "mine.zendesk.com"},
		{"gist.github.com", 443, "*.github.com"},
		{"storage.googleapis.com", 443, "*.com"},
		{"x.corp.example", 443, "*.corp.example"},
		{"api.weather.gov", 443, policy.Forgotten},
		{"api.weather.gov", 8443, policy.Forgotten},
		{"API.Weather.gov.", 80, policy.Forgotten},
		{"10.0.0.7", 443, "10.0.0.7"},
		{"10.0.0.8", 443, ""},
		{"8.8.8.8", 443, ""},
		{"2001:db8::1", 443, ""},
		{"127.1", 80, ""},
		{"2130706433", 80, ""},
		{"0x7f.1", 80, ""},
		{"localhost", 80, ""},
		{"a.localhost", 80, ""},
		{"db.internal", 443, ""},
		{"printer.local", 80, ""},
		{"printer", 80, ""},
		{"", 80, ""},
		{"a..b", 80, ""},
		{"metadata.google.internal", 80, ""},
	} {
		if allowed, by := e.Decide(c.host, c.port); by != c.by || allowed != (c.by != "") {
			t.Errorf("%s:%d: %v by %q, want %q", c.host, c.port, allowed, by, c.by)
		}
		if _, by := e.Named(c.host, c.port); by == policy.Forgotten || c.by != policy.Forgotten && by != c.by {
			t.Errorf("named %s:%d: by %q", c.host, c.port, by)
		}
	}
	if text := e.Refusal("API.github.com", 443); strings.Contains(text, "--allow") || !strings.Contains(text, "github: {}") {
		t.Errorf("%s", text)
	}
	if text := e.Refusal("api.wise.com", 443); strings.Contains(text, "--allow") || !strings.Contains(text, "payment-apis") {
		t.Errorf("%s", text)
	}
}

// Under agent no pattern may name what is played, or moves money.
func TestWhatIsPlayedCannotBeNamedUnderAgent(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{
		"api.github.com", "API.github.com.", "https://api.github.com/x", "api.github.com:8443", "*.github.com", "*.com", "x.zendesk.com", "x*.zendesk.com", "*.zendesk.com:1", "10.1.2.3:80",
		"::ffff:10.1.2.3", "api.stripe.com", "*.paypal.com", "api-*.paypal.com", "x-pal-live.adyenpayments.com", "payment-apis",
	} {
		for _, mode := range []policy.EgressMode{"", policy.Agent} {
			if e, err := policy.New(policy.Terms{Mode: mode, Services: services(), Tunnel: []string{pattern}}); err == nil || e != nil {
				t.Errorf("%q lets it out under %q", pattern, mode)
			}
		}
	}
	for _, pattern := range []string{"gist.github.com", "github.com", "zendesk.com", "model-apis", "storage.googleapis.com", "*.adyen.example", "10.1.2.4"} {
		if _, err := policy.New(policy.Terms{Services: services(), Tunnel: []string{pattern}}); err != nil {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

// Every host of the list is one, and none is where agents reach their models.
func TestPaymentHostsAreHosts(t *testing.T) {
	t.Parallel()
	e, err := policy.New(policy.Terms{Mode: policy.Tool, Tunnel: []string{policy.ModelAPIs}})
	if err != nil {
		t.Fatal(err)
	}
	hosts := policy.PaymentHosts()
	slices.Sort(hosts)
	if len(slices.Compact(slices.Clone(hosts))) != len(hosts) || len(hosts) < 100 {
		t.Errorf("%d hosts, of which some are twice", len(hosts))
	}
	for _, host := range hosts {
		plain := strings.ReplaceAll(host, "*", "x")
		if _, err := policy.Compile(plain); err == nil || !strings.Contains(err.Error(), policy.PaymentAPIs) {
			t.Errorf("%s: %v", host, err)
		}
		if ok, by := e.Decide(plain, 443); ok {
			t.Errorf("%s gets out by %s", plain, by)
		}
	}
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
