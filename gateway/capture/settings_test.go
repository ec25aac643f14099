package capture

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func settings() Settings {
	return Settings{
		ProxyURL:    "http://r1:t$1@127.0.0.1:8080",
		TLSAddr:     "127.0.0.1:8080",
		PlainAddr:   "127.0.0.1:8080",
		BundlePath:  "/state/bundle.pem",
		CAPath:      "/state/ca.pem",
		PreloadPath: "/home/it's me/preload.cjs",
		PythonPath:  "/state/python",
		TrustPath:   "/home/it's me/trust.p12",
		ControlURL:  "http://127.0.0.1:9090",
		Run:         "r1",
		Token:       "t$1",
	}
}

// ours is what every agent gets, but for NODE_OPTIONS.
var ours = []string{
	"ALL_PROXY=http://r1:t$1@127.0.0.1:8080",
	"AWS_CA_BUNDLE=/state/bundle.pem",
	"CURL_CA_BUNDLE=/state/bundle.pem",
	"DENO_CERT=/state/bundle.pem",
	"GIT_SSL_CAINFO=/state/bundle.pem",
	"HTTPS_PROXY=http://r1:t$1@127.0.0.1:8080",
	"HTTP_PROXY=http://r1:t$1@127.0.0.1:8080",
	"JAVA_TOOL_OPTIONS=" + forJava,
	"NODE_EXTRA_CA_CERTS=/state/ca.pem",
	"NODE_USE_ENV_PROXY=1",
	"NO_PROXY=localhost,127.0.0.1,::1,127.0.0.0/8,0.0.0.0,.localhost",
	"PARITY_CONTROL_URL=http://127.0.0.1:9090",
	"PARITY_PLAIN_ADDR=127.0.0.1:8080",
	"PARITY_RUN=r1",
	"PARITY_TLS_ADDR=127.0.0.1:8080",
	"PARITY_TOKEN=t$1",
	"PIP_CERT=/state/bundle.pem",
	"PYTHONPATH=/state/python",
	"REQUESTS_CA_BUNDLE=/state/bundle.pem",
	"SSL_CERT_FILE=/state/bundle.pem",
	"all_proxy=http://r1:t$1@127.0.0.1:8080",
	"http_proxy=http://r1:t$1@127.0.0.1:8080",
	"https_proxy=http://r1:t$1@127.0.0.1:8080",
	"no_proxy=localhost,127.0.0.1,::1,127.0.0.0/8,0.0.0.0,.localhost",
}

const forJava = `-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=8080 -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=8080 -Dhttp.nonProxyHosts=localhost|localhost.|*.localhost|127.*|[::1]|0.0.0.0|[::] "-Djavax.net.ssl.trustStore=/home/it's me/trust.p12" -Djavax.net.ssl.trustStoreType=PKCS12`

const requirePreload = `--require "/home/it's me/preload.cjs"`

func TestEnviron(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		parent []string
		kept   []string
		node   string
	}{
		{name: "empty parent", node: requirePreload},
		{
			name:   "what is not ours stays, in its order",
			parent: []string{"PATH=/bin", "HOME=/root", "A=b=c", "PARITY_DIRECT=db", "SSL_CERT_DIR=/etc/certs"},
			kept:   []string{"PATH=/bin", "HOME=/root", "A=b=c", "PARITY_DIRECT=db", "SSL_CERT_DIR=/etc/certs"},
			node:   requirePreload,
		},
		{
			name: "what would lead around the gateway goes",
			parent: []string{
				"no_proxy=api.stripe.com", "NO_PROXY=*", "ALL_PROXY=socks5://corp:1", "https_proxy=http://corp:1",
				"SSL_CERT_FILE=/corp.pem", "PARITY_RUN=outer", "X=1",
			},
			kept: []string{"X=1"},
			node: requirePreload,
		},
		{
			name:   "what is the operator's own goes",
			parent: []string{"PARITY_CONTROL_TOKEN=secret", "PARITY_GATEWAY=http://:secret@shared:7071", "PARITY_DIR=runs", "PARITY_TOKEN=secret"},
			kept:   []string{"PARITY_DIR=runs"},
			node:   requirePreload,
		},
		{
			name:   "NODE_OPTIONS is added to",
			parent: []string{"NODE_OPTIONS=--max-old-space-size=64 --no-warnings"},
			node:   "--max-old-space-size=64 --no-warnings " + requirePreload,
		},
		{name: "blank NODE_OPTIONS", parent: []string{"NODE_OPTIONS= "}, node: requirePreload},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			before := slices.Clone(test.parent)
			got := settings().Environ(test.parent)
			want := append(slices.Clone(ours), "NODE_OPTIONS="+test.node)
			slices.Sort(want)
			want = append(slices.Clone(test.kept), want...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("environment (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, test.parent); diff != "" {
				t.Errorf("the parent's slice was changed:\n%s", diff)
			}
		})
	}
}

func TestNotes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		parent []string
		want   []string // a part of each note
	}{
		{name: "nothing to say", parent: []string{"PATH=/bin", "NO_PROXY=localhost, 127.0.0.1", "NODE_EXTRA_CA_CERTS=", "PARITY_DIRECT="}},
		{
			name:   "exempted hosts, named once",
			parent: []string{"NO_PROXY=localhost,api.stripe.com,.corp", "no_proxy=api.stripe.com, *"},
			want:   []string{"without api.stripe.com,.corp,*: "},
		},
		{name: "direct hosts", parent: []string{"PARITY_DIRECT=db"}, want: []string{"PARITY_DIRECT=db lets Node"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := settings().Notes(test.parent)
			if len(got) != len(test.want) {
				t.Fatalf("notes %q, want %d", got, len(test.want))
			}
			for i, part := range test.want {
				if !strings.Contains(got[i], part) {
					t.Errorf("note %q does not say %q", got[i], part)
				}
			}
		})
	}
}

func TestPrintFormats(t *testing.T) {
	t.Parallel()
	tests := []struct {
		format string
		want   []string // among the lines
		absent string
	}{
		{format: "shell", want: []string{
			`unset PARITY_CONTROL_TOKEN PARITY_GATEWAY`,
			`export PARITY_TOKEN='t$1'`,
			`export NODE_OPTIONS="${NODE_OPTIONS:+$NODE_OPTIONS }"'--require "/home/it'\''s me/preload.cjs"'`,
		}},
		{format: "docker", want: []string{
			`ENV PARITY_TOKEN="t\$1"`,
			`ENV NODE_OPTIONS="--require \"/home/it's me/preload.cjs\""`,
		}},
		{format: "github", want: []string{
			`PARITY_TOKEN=t$1`,
			`PARITY_NODE_OPTIONS=--require "/home/it's me/preload.cjs"`,
		}, absent: "\nNODE_OPTIONS="},
		{format: "dotenv", want: []string{
			`PARITY_TOKEN='t$1'`,
			`PARITY_RUN=r1`,
			`NODE_OPTIONS="--require \"/home/it's me/preload.cjs\""`,
		}},
	}
	for _, test := range tests {
		t.Run(test.format, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			if err := settings().Print(&out, test.format); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			want := len(ours) + 1
			if test.format == "shell" {
				want++ // what is unset
			}
			if len(lines) != want {
				t.Errorf("%d lines, want %d", len(lines), want)
			}
			for _, line := range test.want {
				if !slices.Contains(lines, line) {
					t.Errorf("no line %s in\n%s", line, out.String())
				}
			}
			if test.absent != "" && strings.Contains(out.String(), test.absent) {
				t.Errorf("%q is in\n%s", test.absent, out.String())
			}
		})
	}
}

// A shell is the judge of what is safely quoted.
func TestPrintShellIsReadBack(t *testing.T) {
	t.Parallel()
	s := settings()
	s.Token = "a'b \"c\" $(exit 3) `exit 4` \\ ! * ;|&"
	var out strings.Builder
	if err := s.Print(&out, "shell"); err != nil {
		t.Fatal(err)
	}
	shell := exec.Command("sh", "-ec", `eval "$1"; printf '%s\n%s\n' "$PARITY_TOKEN$PARITY_CONTROL_TOKEN" "$NODE_OPTIONS"`, "sh", out.String())
	shell.Env = []string{"NODE_OPTIONS=--no-warnings", "PARITY_CONTROL_TOKEN=the operator's"}
	got, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	if want := s.Token + "\n--no-warnings " + requirePreload + "\n"; string(got) != want {
		t.Errorf("the shell read %q, want %q", got, want)
	}
}

func TestPrintJSON(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := settings().Print(&out, "json"); err != nil {
		t.Fatal(err)
	}
	var got map[string]string
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(settings().variables(), got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

func TestPrintRefuses(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	err := settings().Print(&out, "fish")
	if err == nil || !strings.Contains(err.Error(), "use one of shell, docker, github, dotenv, json") {
		t.Errorf("unknown format: %v", err)
	}
	broken := settings()
	broken.CAPath = "/a\nPATH=/evil"
	err = broken.Print(&out, "github")
	if err == nil || !strings.Contains(err.Error(), "NODE_EXTRA_CA_CERTS has a line break") {
		t.Errorf("line break: %v", err)
	}
	if out.Len() > 0 {
		t.Errorf("half-written: %q", out.String())
	}
}

func TestWritePreload(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for range 2 { // the second time over the first
		path, err := WritePreload(folder)
		if err != nil {
			t.Fatal(err)
		}
		if !filepath.IsAbs(path) {
			t.Errorf("path %q is not absolute", path)
		}
		if written, err := os.ReadFile(path); err != nil || string(written) != string(preload) {
			t.Errorf("wrote %d bytes, want %d: %v", len(written), len(preload), err)
		}
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
	if _, err := WritePreload(filepath.Join(folder, "missing")); err == nil {
		t.Error("no error for a missing folder")
	}
}
