package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v4"
)

const actionFolder = "../action"

// action is what is used of a composite action
// (https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax).
type action struct {
	Inputs map[string]struct {
		Description, Default string
		Required             bool
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	ID, Name, Uses, Shell, Run, If string
	Env, With                      map[string]string
	WorkingDirectory               string `yaml:"working-directory"`
}

func readAction() (a action, err error) {
	text, err := os.ReadFile(filepath.Join(actionFolder, "action.yml"))
	if err == nil {
		err = yaml.Unmarshal(text, &a)
	}
	return a, err
}

// expressions are what GitHub fills in before a shell sees it.
func expressions() *regexp.Regexp { return regexp.MustCompile(`\$\{\{\s*([a-z_.-]+)\s*\}\}`) }

// What somebody writes into an input is never part of a script, and what the
// action asks for is there.
func TestActionTakesNoScriptsFromInputs(t *testing.T) {
	t.Parallel()
	a, err := readAction()
	if err != nil || a.Runs.Using != "composite" {
		t.Fatalf("%q %v", a.Runs.Using, err)
	}
	asked := map[string]bool{}
	note := func(texts ...string) {
		for _, text := range texts {
			for _, found := range expressions().FindAllStringSubmatch(text, -1) {
				asked[found[1]] = true
			}
			if rest := expressions().ReplaceAllString(text, ""); strings.Contains(rest, "${{") {
				t.Errorf("an expression that the test cannot follow: %s", text)
			}
		}
	}
	ids := map[string]bool{}
	for _, s := range a.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("%s: a script with what GitHub fills in: put it into env", s.Name)
		}
		if s.Run != "" && s.Shell != "bash" {
			t.Errorf("%s: a composite action names the shell of each script", s.Name)
		}
		if s.Uses != "" && !regexp.MustCompile(`^[\w-]+/[\w/-]+@v\d+$`).MatchString(s.Uses) {
			t.Errorf("%s is of no version", s.Uses)
		}
		for _, m := range []map[string]string{s.Env, s.With} {
			for _, text := range m {
				note(text)
			}
		}
		for _, found := range regexp.MustCompile(`inputs\.[a-z-]+`).FindAllString(s.If, -1) {
			asked[found] = true
		}
		note(s.WorkingDirectory)
		ids[s.ID] = true
	}
	for _, out := range a.Outputs {
		note(out.Value)
	}
	readme, err := os.ReadFile(filepath.Join(actionFolder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for name, input := range a.Inputs {
		if !asked["inputs."+name] || input.Description == "" {
			t.Errorf("input %s is asked for by nobody, or says nothing", name)
		}
		if !strings.Contains(string(readme), "| `"+name+"` |") {
			t.Errorf("the README does not say what the input %s is", name)
		}
		delete(asked, "inputs."+name)
	}
	delete(asked, "github.action_path")
	delete(asked, "steps.rehearse.outputs.exit-code")
	if len(asked) > 0 || !ids["rehearse"] {
		t.Errorf("nobody says %v", asked)
	}
}

// github CODE [NAME=VALUE ...] runs the scripts of the action, with these inputs, as
// GitHub does: one after another until one fails, by bash -e -o pipefail, in an
// environment that each adds to by files. Steps that use other actions are listed
// in the file used. It ends as the last script did.
func github(ts *testscript.TestScript, neg bool, args []string) {
	a, err := readAction()
	ts.Check(err)
	values := map[string]string{"github.action_path": ts.MkAbs("source/cmd/action")}
	for name, input := range a.Inputs {
		values["inputs."+name] = input.Default
	}
	for _, arg := range args[1:] {
		name, value, _ := strings.Cut(arg, "=")
		if _, known := a.Inputs[name]; !known {
			ts.Fatalf("the action has no input %s", name)
		}
		values["inputs."+name] = strings.ReplaceAll(value, `\n`, "\n")
	}
	fill := func(text string) string {
		return expressions().ReplaceAllStringFunc(text, func(found string) string { return values[expressions().FindStringSubmatch(found)[1]] })
	}
	var used strings.Builder
	for _, s := range a.Runs.Steps {
		if s.If != "" && !holds(ts, s.If, values) {
			continue
		}
		if s.Run == "" {
			fmt.Fprintln(&used, s.Uses)
			continue
		}
		env := []string{"GITHUB_OUTPUT=" + ts.MkAbs("output"), "GITHUB_PATH=" + ts.MkAbs("path"), "GITHUB_STEP_SUMMARY=" + ts.MkAbs("summary"), "RUNNER_TEMP=" + ts.MkAbs("temp")}
		for name, value := range s.Env {
			env = append(env, name+"="+fill(value))
		}
		err = bash(ts, env, ts.MkAbs(fill(s.WorkingDirectory)), s.Run)
		for line := range strings.Lines(said(ts, "output")) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			values["steps."+s.ID+".outputs."+name] = value
		}
		if err != nil {
			break
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs("used"), []byte(used.String()), 0o600))
	endedWith(ts, args[0], err)
}

// holds tells whether a step's condition does: an input and a text, compared.
func holds(ts *testscript.TestScript, condition string, values map[string]string) bool {
	parts := regexp.MustCompile(`^(inputs\.[a-z-]+) (==|!=) '([^']*)'$`).FindStringSubmatch(condition)
	if parts == nil {
		ts.Fatalf("a condition that the test cannot follow: %s", condition)
	}
	return (values[parts[1]] == parts[3]) == (parts[2] == "==")
}

// gitlab CODE [NAME=VALUE ...] runs the job in the README with these variables in the
// place of its own, as GitLab does: both scripts in one shell. It has to end with
// that code.
func gitlab(ts *testscript.TestScript, _ bool, args []string) {
	readme, err := os.ReadFile(filepath.Join(actionFolder, "README.md"))
	ts.Check(err)
	_, text, _ := strings.Cut(string(readme), "## GitLab\n\n```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	var file map[string]struct {
		Variables    map[string]string
		BeforeScript []string `yaml:"before_script"`
		Script       []string
		Artifacts    struct{ Reports map[string]string }
	}
	ts.Check(yaml.Unmarshal([]byte(text), &file))
	job := file["rehearse"]
	env := []string{"CI_PROJECT_DIR=" + ts.MkAbs(".")}
	for name, value := range job.Variables {
		env = append(env, name+"="+value)
	}
	err = bash(ts, append(env, args[1:]...), ts.MkAbs("."), strings.Join(append(job.BeforeScript, job.Script...), "\n"))
	if _, missing := os.Stat(ts.MkAbs(job.Artifacts.Reports["junit"])); missing != nil {
		ts.Fatalf("the job keeps what is not there: %v", missing)
	}
	endedWith(ts, args[0], err)
}

// bash runs a script in a shell that ends at the first failure. What one before
// has added to the path comes first.
func bash(ts *testscript.TestScript, env []string, dir, script string) error {
	path := ts.Getenv("PATH")
	for line := range strings.Lines(said(ts, "path")) {
		path = strings.TrimSpace(line) + string(os.PathListSeparator) + path
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, ts.Stdout(), ts.Stderr()
	for _, name := range []string{"HOME", "PARITY_HOME", "KEY", "GORACE", "WORK"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	cmd.Env = append(append(cmd.Env, env...), "PATH="+path)
	return cmd.Run()
}

func said(ts *testscript.TestScript, file string) string {
	text, err := os.ReadFile(ts.MkAbs(file))
	if err != nil {
		return ""
	}
	return string(text)
}
