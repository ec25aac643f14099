package contain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// wallsStage is the variable that says which process of the harness this is.
const wallsStage = "PARITY_TEST_WALLS"

// A trial is what the processes of the harness are told.
type trial struct {
	Options Options
	Dir     string            // of the agent
	Args    []string          // a program to run as the agent, instead of the tries
	Names   map[string]string // what the tries need to know of outside
}

// TestWallsStage is no test of its own: it is the processes that the others start,
// outside as another user, and the agent.
func TestWallsStage(t *testing.T) {
	stage := os.Getenv(wallsStage)
	if stage == "" {
		return // started as one of the tests
	}
	var told trial
	if err := json.Unmarshal([]byte(os.Getenv("PARITY_TEST_TRIAL")), &told); err != nil {
		t.Fatal(err)
	}
	var err error
	switch stage {
	case "outside":
		err = wallsOutside(told)
	case "agent":
		tries := hostile
		if told.Options.Level == Network {
			tries = ofNetwork
		}
		err = tryAll(told, tries)
	case "nested":
		err = tryAll(told, nested)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	os.Exit(0)
}

func wallsCommand(stage string) *exec.Cmd {
	command := exec.Command("/proc/self/exe", "-test.run=^TestWallsStage$") //nolint:gosec // itself
	command.Env = append(os.Environ(), wallsStage+"="+stage)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	return command
}

// wallsOutside opens a containment, and has the agent in it.
func wallsOutside(told trial) error {
	ctx := context.Background()
	box, err := Open(ctx, told.Options)
	if err != nil {
		return err
	}
	command := wallsCommand("agent")
	command.Args[0] = told.Names["program"]
	if told.Args != nil {
		command.Args = told.Args
	}
	end, err := box.Run(ctx, Command{
		Args: command.Args, Env: command.Environ(), Dir: told.Dir, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	})
	if err := errors.Join(err, box.Close()); err != nil {
		return err
	}
	if end.Code != 0 {
		return fmt.Errorf("the agent ended with %d %s", end.Code, end.Why)
	}
	return nil
}

// wallsRun runs the harness as a user and gives what came on standard output.
func wallsRun(t *testing.T, uid int, told trial, home string) []byte {
	t.Helper()
	text, err := json.Marshal(told)
	if err != nil {
		t.Fatal(err)
	}
	command := wallsCommand("outside")
	command.Env = []string{wallsStage + "=outside", "PARITY_TEST_TRIAL=" + string(text), "HOME=" + home, "PATH=" + os.Getenv("PATH"), "KUBECONFIG=" + home + "/cluster"}
	if uid != os.Getuid() {
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}} //nolint:gosec // nobody
	}
	command.Dir = "/"
	var out, said strings.Builder
	command.Stdout, command.Stderr = &out, &said
	if err := command.Run(); err != nil {
		if strings.Contains(said.String(), "isolation is not possible here") {
			t.Skip("no containment on this machine: ", said.String())
		}
		t.Fatalf("%v\n%s%s", err, said.String(), out.String())
	}
	return []byte(out.String())
}

// A try is one act of the agent's: nil is that it did.
type try struct {
	name string
	do   func(names map[string]string) error
	want string // what the error says, one of these with | between; "" where the agent is to succeed
}

// met says whether what came of a try is what is wanted.
func (t try) met(came string) bool {
	if t.want == "" || came == "" {
		return t.want == came
	}
	return slices.ContainsFunc(strings.Split(t.want, "|"), func(want string) bool { return strings.Contains(came, want) })
}

// tryAll prints what came of each.
func tryAll(told trial, tries func() []try) error {
	came := map[string]string{}
	for _, try := range tries() {
		came[try.name] = ""
		if err := try.do(told.Names); err != nil {
			came[try.name] = err.Error()
		}
	}
	return json.NewEncoder(os.Stdout).Encode(came)
}

// users are who the walls have to stand for: the machine's root, if that is who
// tests, and somebody without any rights.
func users() map[string]int {
	if os.Getuid() == 0 {
		return map[string]int{"root": 0, "nobody": 65534}
	}
	return map[string]int{"somebody": os.Getuid()}
}

// machine makes folders as of somebody's machine: a home, a project, a folder to
// show, all of that user's.
func machine(t *testing.T, uid int) string {
	t.Helper()
	base := t.TempDir()
	for path := base; path != os.TempDir() && path != "/"; path = filepath.Dir(path) {
		if err := os.Chmod(path, 0o755); err != nil { //nolint:gosec // somebody else is to come in
			t.Fatal(err)
		}
	}
	files := map[string]string{
		"home/.ssh/id_ed25519": "secret", "home/.npmrc": "secret", "home/notes": "plain", "home/cluster": "secret",
		"dotfiles/aws/credentials": "secret", "home/.config/gh/hosts.yml": "secret", "home/.config/tool/key": "secret",
		"home/project/main": "plain", "home/project/deep/main": "plain", "home/project/.parity/ca.key": "secret",
		"shown/data": "plain", "elsewhere/data": "plain", "laid/bundle": "laid",
	}
	for name, text := range files {
		path := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // a test's
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil { //nolint:gosec // a test's
			t.Fatal(err)
		}
	}
	links := map[string]string{
		"home/.aws": "../dotfiles/aws", "alias": "shown", "home/project/out": filepath.Join(base, "elsewhere"), "home/project/up": "../.ssh",
	}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(base, name)); err != nil {
			t.Fatal(err)
		}
	}
	err := filepath.Walk(base, func(path string, _ os.FileInfo, err error) error {
		return errors.Join(err, os.Lchown(path, uid, uid))
	})
	if err != nil {
		t.Fatal(err)
	}
	return base
}

func readAll(path string) error {
	file, err := os.Open(path) //nolint:gosec // what is tried
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // read alone
	text, err := io.ReadAll(io.LimitReader(file, 1<<20))
	if err == nil && len(text) == 0 {
		return errors.New("nothing in it")
	}
	return err
}

func writeTo(path string) error { return os.WriteFile(path, []byte("x"), 0o600) }

// openToWrite opens what is the machine's for writing, and writes nothing: walls
// that do not hold cost the test alone.
func openToWrite(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0) //nolint:gosec // what is tried
	if err != nil {
		return err
	}
	return file.Close()
}
