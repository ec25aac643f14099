package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// What init writes for CI is what cmd/action describes: the inputs are there, and
// the job is the one of its page, which a script runs.
func TestInitWritesForCIWhatTheActionTakes(t *testing.T) {
	t.Parallel()
	write := func(ci, file string) string {
		dir := t.TempDir()
		code := execute(t.Context(), console{
			args: []string{"init", "--service", "stripe", "--ci", ci, "--dir", dir}, stdin: strings.NewReader(""), stdout: io.Discard, stderr: os.Stderr,
			getenv: func(string) string { return "" }, environ: func() []string { return nil },
		})
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if code != 0 || err != nil {
			t.Fatalf("%d %v", code, err)
		}
		return string(text)
	}
	var workflow struct {
		Jobs map[string]struct{ Steps []actionStep }
	}
	if err := yaml.Unmarshal([]byte(write("github", ".github/workflows/parity.yml")), &workflow); err != nil {
		t.Fatal(err)
	}
	a, err := readAction()
	if err != nil {
		t.Fatal(err)
	}
	met := 0
	for _, step := range workflow.Jobs["rehearse"].Steps {
		for name := range step.With {
			met++
			if _, known := a.Inputs[name]; !known {
				t.Errorf("the action has no input %s", name)
			}
		}
	}
	if met != 2 {
		t.Errorf("%d inputs", met)
	}
	readme, err := os.ReadFile(filepath.Join(actionFolder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	job := strings.NewReplacer("python agent.py", "python3 agent.py", "PROFILE: parity.yaml", "PROFILE: profiles/rough-afternoon.yaml").Replace(write("gitlab", ".gitlab-ci.yml"))
	if !strings.Contains(string(readme), "```yaml\n"+job+"```") {
		t.Errorf("it is not the job of the page:\n%s", job)
	}
}
