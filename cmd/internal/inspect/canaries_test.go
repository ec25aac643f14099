package inspect

import (
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/cmd/internal/rehearsal"
	"parity/gateway"
	"parity/gateway/report"
)

// A secret on an agent's command line, or in a setting that a profile names, is
// in no byte that Parity writes.
func TestCanariesOfACommandLineAreInNoByteThatIsWritten(t *testing.T) {
	t.Parallel()
	b := birds{}
	folder, env := t.TempDir(), "Bearer "+b.form("an identity's variable")
	root := filepath.Join(folder, ".parity")
	profile := filepath.Join(folder, "p.yaml")
	text := "profile: shops\nseed: 7\nservices: {stripe: {}}\nclock: {mode: stepped}\nidentities: {clerk: {presents: {env: SHOP_KEY}}}\nsays: {done: fine, output: true}\n"
	if err := os.WriteFile(profile, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var own strings.Builder
	command := []string{
		"sh", "-c", "echo fine with " + b.form("what the agent prints") + "; exit 0", "agent", "API_TOKEN=" + b.put("variable"), "--api-key=" + b.put("flag with a sign"), "--password", b.put("flag"),
		"https://me:" + b.put("userinfo") + "@db.example/x", "--note=" + b.form("by form"), "DB_PASS=" + b.put("variable of a database"), `{"client_secret":"` + b.put("JSON") + `"}`,
	}
	code, err := rehearsal.Run(t.Context(), rehearsal.Plan{
		Settings: gateway.Settings{
			Root: root, CA: filepath.Join(folder, "ca"), Profile: profile,
			Getenv: func(name string) string { return map[string]string{"SHOP_KEY": env}[name] }, Log: slog.New(slog.NewTextHandler(&own, nil)),
		},
		Command: command, Flags: []string{"--env", "STRIPE_KEY=" + b.put("flag of ours")}, Exit: "agent", Environ: []string{"PATH=" + os.Getenv("PATH")},
		Stdout: io.Discard, Stderr: t.Output(),
	})
	if code != report.Unsound || err != nil { // it calls nothing
		t.Fatal(code, err)
	}
	b.isIn(t, everything(t, root))
	b.isIn(t, map[string]string{"the log": own.String()})
}

// birds are secrets by the place that they are put in.
type birds map[string]string

// put gives the canary of a place: each is a text of its own.
func (b birds) put(place string) string {
	if b[place] == "" {
		b[place] = fmt.Sprintf("canary%02dQ7xZ2mWv9", len(b))
	}
	return b[place]
}

// form gives one that nothing but its form gives away.
func (b birds) form(place string) string { return "sk_live_" + b.put(place) }

// isIn asks that no canary is in what was written.
func (b birds) isIn(t *testing.T, written map[string]string) {
	t.Helper()
	for place, bird := range b {
		for form, text := range written {
			if at := strings.Index(text, bird); at >= 0 {
				t.Errorf("%s is in %s: …%q…", place, form, text[max(0, at-160):min(len(text), at+40)])
			}
		}
	}
}

// everything is what is written of the last run, in each form that there is, and
// all that is on disk.
func everything(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	into := func(form string, write func(io.Writer) error) {
		var out strings.Builder
		if err := write(&out); err != nil {
			t.Errorf("%s: %v", form, err)
		}
		all[form] = out.String()
	}
	for _, f := range report.Formats() {
		into("report as "+f.Name, func(w io.Writer) error { return PrintReport(w, root, "last", f.Name, report.Options{}) })
	}
	for _, form := range []string{"text", "json"} {
		into("trace as "+form, func(w io.Writer) error { return PrintTrace(w, root, "last", form, false) })
		into("outbox as "+form, func(w io.Writer) error { return PrintOutbox(w, root, "last", 0, form, report.Options{}) })
		into("surface as "+form, func(w io.Writer) error { return PrintSurface(w, root, "last", form) })
	}
	for _, format := range []string{"jsonl", "har"} {
		into("export as "+format, func(w io.Writer) error { return ExportRun(w, root, "last", format) })
	}
	for _, shown := range []bool{false, true} {
		into(fmt.Sprintf("state, shown: %v", shown), func(w io.Writer) error { return DumpState(w, root, "last", 0, shown) })
	}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			var content []byte
			content, err = os.ReadFile(path)
			all[path] = string(content)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
