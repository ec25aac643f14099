package sdktest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// readReal are the services that are read for real, and the key of each, which is
// another than the agent's.
var readReal = map[string]string{
	"stripe": "sk_test_real", "github": "ghp_real", "zendesk": "owner@example.com/token:real456",
	"hubspot": "pat-na1-00000000-0000-4000-8000-0000000000ff", "notion": "ntn_real",
}

// over writes a profile under which those services are another gateway's, which stands
// for the real ones.
func (g *gateway) over(t *testing.T) (file string) {
	t.Helper()
	dir := t.TempDir()
	text := "profile: reads-real\nseed: 7\nworld: empty\nclock: {mode: stepped, step: 20s, start: 2026-12-02T09:00:00Z}\nservices:\n"
	for service, key := range readReal {
		at := filepath.Join(dir, service+".key")
		if err := os.WriteFile(at, []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf("  %s: {mode: live-read, upstream: {credential: {file: %q}, hosts: [%q], roots: %q}}\n",
			service, at, strings.TrimPrefix(g.base, "http://"), filepath.Join(g.root, "home", "ca", "ca.pem"))
	}
	file = filepath.Join(dir, "profile.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// wrote lists the calls of a gateway's run that are no reads.
func (g *gateway) wrote(t *testing.T) (calls []string) {
	t.Helper()
	for line := range strings.Lines(string(g.ask(t, "trace", "-o", "json"))) {
		e := found[struct {
			Exchange *struct{ Operation, Effect string }
		}](t, []byte(line))
		if e.Exchange != nil && !strings.HasPrefix(e.Exchange.Operation, "GET ") && !strings.HasSuffix(e.Exchange.Operation, "/search") && !strings.HasSuffix(e.Exchange.Operation, "/batch/read") {
			calls = append(calls, e.Exchange.Operation)
		}
	}
	return calls
}

// What SDKs find of their writes in live-read is what they find where they write to
// the service itself, by either way in; and that service sees no write.
func TestSDKsReadTheirWritesOverARealService(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "real.yaml")
	text := "profile: real\nseed: 11\nclock: {mode: stepped, step: 20s, start: 2026-12-01T09:00:00Z}\nservices: {stripe: {}, github: {}, zendesk: {}, hubspot: {}, notion: {}}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _ = node(t, nil) // the SDKs are there
	real := serve(t, "--profile", file)
	names := []string{"stripe", "github", "zendesk", "hubspot", "notion"}
	work := func(env []string, what string) map[string]any {
		return printed(t, start(t, env, append([]string{"node", "node/live.mjs", what}, names...)...))
	}
	work([]string{"BASE=" + real.base}, "seed")
	before := real.wrote(t)
	byBase := serve(t, "--profile", real.over(t))
	found := map[string]map[string]any{"by a base URL": work([]string{"BASE=" + byBase.base}, "work")}
	byProxy := serve(t, "--profile", real.over(t))
	found["by the proxy"] = work(byProxy.environment(t), "work")
	if after := real.wrote(t); !slices.Equal(before, after) {
		t.Errorf("the real service saw writes: %v", after[len(before):])
	}
	direct := work([]string{"BASE=" + real.base}, "work") // last, since it writes
	for how, through := range found {
		for _, name := range names {
			want, _ := direct[name].(map[string]any)
			got, _ := through[name].(map[string]any)
			if len(want) < 5 {
				t.Fatalf("%s found %v", name, want)
			}
			for part := range want {
				if !reflect.DeepEqual(want[part], got[part]) {
					t.Errorf("%s, %s: %s is %v where it writes to the service itself, and %v in live-read (%v)", name, how, part, want[part], got[part], got["threw"])
				}
			}
		}
	}
	for _, g := range []*gateway{byBase, byProxy} {
		var r struct {
			Upstream struct {
				Reads, Writes, Passes, Faked int
				Agrees                       bool
			}
		}
		if err := json.Unmarshal(g.ask(t, "report", "-o", "json"), &r); err != nil {
			t.Fatal(err)
		}
		if u := r.Upstream; u.Reads < 50 || u.Writes != 0 || u.Passes != 0 || u.Faked < 20 || !u.Agrees {
			t.Errorf("the proof is %+v", u)
		}
	}
}
