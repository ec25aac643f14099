package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parity/faults/trail"
	"parity/gateway/kept"
)

// What becomes of a client's call.
const (
	captured = "captured" // a fake answered it
	refused  = "refused"  // it is in the record, and got nowhere
	missed   = "missed"   // nothing in the record has its name: it went past the gateway, or did not trust it
	untried  = ""         // it would leave this machine
)

// aClient calls a service in its own way, and names itself in the path.
type aClient struct {
	name    string
	program string // that has to be installed
	command string
	without string // what becomes of it under parity run
	with    string // the same, with --isolate
}

// plainGet is a request in clear text, whose path names the client.
const plainGet = `GET /things/%s HTTP/1.1\r\nHost: api.shop.invalid\r\nConnection: close\r\n\r\n`

func theClients() []aClient {
	curl := func(name, flags string) string {
		return "curl -sS " + flags + ` https://api.shop.invalid/things/` + name
	}
	python := func(way, name string) string { return "/usr/bin/python3 client.py " + way + " " + name }
	return []aClient{
		{"curl", "curl", curl("curl", ""), captured, captured},
		{"curl-noproxy", "curl", curl("curl-noproxy", "--noproxy '*'"), missed, captured},
		{"curl-address", "curl", curl("curl-address", "--noproxy '*' --resolve api.shop.invalid:443:203.0.113.9"), untried, captured},
		{"curl-six", "curl", curl("curl-six", "--noproxy '*' --resolve 'api.shop.invalid:443:[2001:db8::9]'"), untried, captured},
		{"curl-empty", "curl", `env -i PATH="$PATH" ` + curl("curl-empty", ""), missed, captured},
		{"wget", "wget", `wget -qO- -t 1 https://api.shop.invalid/things/wget`, missed, captured}, // GnuTLS: no variable names its roots
		{"wget-noproxy", "wget", `wget -qO- -t 1 --no-proxy https://api.shop.invalid/things/wget-noproxy`, missed, captured},
		{"python-urllib", "/usr/bin/python3", python("urllib", "python-urllib"), captured, captured},
		{"python-http", "/usr/bin/python3", python("http.client", "python-http"), missed, captured},
		{"python-socket", "/usr/bin/python3", python("socket", "python-socket"), missed, captured},
		{"python-empty", "/usr/bin/python3", "env -i " + python("http.client", "python-empty"), missed, captured},
		{"node-fetch", "node", "node client.mjs fetch node-fetch", captured, captured},
		{"node-https", "node", "node client.mjs https node-https", captured, captured},
		{"node-tls", "node", "node client.mjs tls node-tls", captured, captured},
		{"node-bare", "node", "env -u NODE_OPTIONS -u NODE_USE_ENV_PROXY node client.mjs https node-bare", missed, captured},
		{"go-proxy", "go", `./ownclient proxy go-proxy`, captured, captured},
		{"go-dialer", "go", `./ownclient own go-dialer`, missed, captured},
		{"java-http", "java", "java -XX:TieredStopAtLevel=1 Client http java-http", captured, captured},
		{"java-socket", "java", "env -u JAVA_TOOL_OPTIONS java -XX:TieredStopAtLevel=1 Client socket java-socket", missed, captured},
		{"perl-plain", "perl", fmt.Sprintf(`perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new("api.shop.invalid:80") or die "$@\n"; print $s "%s"; print <$s>'`, fmt.Sprintf(plainGet, "perl-plain")), missed, captured},
		{"openssl", "openssl", `printf "` + fmt.Sprintf(plainGet, "openssl") + `" | openssl s_client -quiet -ign_eof -connect api.shop.invalid:443 -servername api.shop.invalid`, missed, captured},
		{"bash-plain", "bash", `bash -c 'exec 3<>/dev/tcp/api.shop.invalid/80 && printf "` + fmt.Sprintf(plainGet, "bash-plain") + `" >&3 && head -1 <&3'`, missed, captured},
		{"orphan", "setsid", `setsid sh -c '` + curl("orphan", `--noproxy \*`) + `' & wait`, missed, captured},
		{"python-udp", "/usr/bin/python3", python("udp", "python-udp"), untried, refused},
		{"python-database", "/usr/bin/python3", python("database", "python-database"), untried, refused},
		{"curl-metadata", "curl", "curl -sS --noproxy '*' http://169.254.169.254/latest/meta-data/", untried, refused},
	}
}

// refusals are what the record has of clients whose call is refused.
var refusals = map[string]string{"python-udp": "203.0.113.7:123", "python-database": "203.0.113.8:5432", "curl-metadata": "169.254.169.254"}

// Clients of many kinds, with and without --isolate, as root and as nobody: what
// becomes of each is as the table says.
func TestClientsOfManyKinds(t *testing.T) {
	t.Parallel()
	folder := clientsFolder(t)
	t.Run("concealed", func(t *testing.T) { testConcealed(t, folder) })
	for _, isolated := range []bool{false, true} {
		users := []uint32{uint32(os.Getuid())}
		if isolated && os.Getuid() == 0 {
			users = append(users, 65534)
		}
		for _, user := range users {
			t.Run(fmt.Sprintf("isolated=%v,uid=%d", isolated, user), func(t *testing.T) {
				said, events := runClients(t, folder, isolated, user)
				for _, c := range theClients() {
					want := c.without
					if isolated {
						want = c.with
					}
					if !c.available() {
						t.Logf("%s is not installed: not tested", c.name)
					}
					if !c.available() || want == untried {
						continue
					}
					if got := became(events, c.name); got != want {
						text, _ := os.ReadFile(filepath.Join(said, c.name+".out"))
						t.Errorf("%s: %s, not %s; it says: %.400s", c.name, got, want, text)
					}
				}
			})
		}
	}
}

// What a gateway was started with, and holds in its memory, is no other program's of
// the same user to read.
func testConcealed(t *testing.T, clients string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	folder := filepath.Join(clients, "serving")
	if err := errors.Join(os.Mkdir(folder, 0o755), os.Chown(folder, 65534, 65534)); err != nil { //nolint:gosec // another user reads it
		t.Fatal(err)
	}
	nobody := func(name string, args ...string) *exec.Cmd {
		command := exec.Command(name, args...)
		command.Dir = folder
		command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder, "PARITY_HOME=" + folder + "/home", "PARITY_CONTROL_TOKEN=a-token-of-an-operator"}
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		return command
	}
	script := `"$0" serve --ready-file ready >log 2>&1 & G=$!
i=0; while [ ! -e ready ] && [ $i -lt 600 ]; do sleep 0.05; i=$((i+1)); done
cat /proc/$G/environ; head -c 1 /proc/$G/mem; cat /proc/$G/maps | head -1
"$0" run -- sh -c 'cat /proc/$PPID/environ; cat /proc/$PPID/maps | head -1' 2>/dev/null
kill $G; wait $G; echo served $?`
	said, err := nobody("sh", "-c", script, filepath.Join(clients, "parity")).Output()
	if err != nil || string(said) != "served 0\n" {
		log, _ := os.ReadFile(filepath.Join(folder, "log")) //nolint:errcheck // as far as it is there
		t.Errorf("%v: %q\n%s", err, said, log)
	}
}

// became says what the record has of a client.
func became(events []trail.Event, client string) string {
	for _, e := range events {
		x := e.Exchange
		switch at := refusals[client]; {
		case x == nil:
		case at != "" && x.Outcome == trail.Denied && strings.HasPrefix(x.Host+x.Path, at):
			return refused
		case x.Path == "/things/"+client && x.Service == "shop":
			return captured
		}
	}
	return missed
}

func (c aClient) available() bool {
	_, err := exec.LookPath(c.program)
	return err == nil
}

// clientsFolder has the built binary and the clients, for everybody to read.
func clientsFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "parity-clients")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	must := func(name string, args ...string) {
		t.Helper()
		command := exec.Command(name, args...)
		command.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v: %s", name, args, err, out)
		}
	}
	must("go", "build", "-buildvcs=false", "-o", filepath.Join(folder, "parity"), ".")
	must("go", "build", "-buildvcs=false", "-o", filepath.Join(folder, "ownclient"), "./testdata/clients/ownclient")
	must("cp", "testdata/clients/client.py", "testdata/clients/client.mjs", "testdata/clients/shop.yaml", folder)
	if _, err := exec.LookPath("javac"); err == nil {
		must("javac", "-d", folder, "testdata/clients/Client.java")
	}
	must("chmod", "-R", "a+rX", folder)
	return folder
}

// runClients runs all clients at once, in a run of their own, as a user. It gives
// the folder in which each has left what it says, and the record.
func runClients(t *testing.T, clients string, isolated bool, user uint32) (said string, events []trail.Event) {
	t.Helper()
	folder, err := os.MkdirTemp("", "parity-clients-run")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if out, err := exec.Command("cp", "-r", clients+"/.", folder).CombinedOutput(); err != nil { // inside, it sees the folder that it is started in
		t.Fatalf("%v: %s", err, out)
	}
	var script strings.Builder
	for _, c := range theClients() {
		bound := 30 // seconds: for what is answered at once, on a busy machine
		if !isolated && c.without == missed {
			bound = 4
		}
		if !c.available() || !isolated && c.without == untried {
			continue
		}
		own := filepath.Join(folder, c.name)
		if err := os.WriteFile(own+".sh", []byte(c.command), 0o644); err != nil { //nolint:gosec // another user reads it
			t.Fatal(err)
		}
		fmt.Fprintf(&script, "timeout %d sh %[2]s.sh </dev/null >%[2]s.out 2>&1 &\n", bound, own)
	}
	script.WriteString("wait\n")
	if err := os.WriteFile(filepath.Join(folder, "all.sh"), []byte(script.String()), 0o644); err != nil { //nolint:gosec // another user reads it
		t.Fatal(err)
	}
	args := []string{"run", "--contract", filepath.Join(clients, "shop.yaml"), "--host", "api.shop.invalid"}
	if isolated {
		args = append(args, "--isolate")
	}
	command := exec.Command(filepath.Join(clients, "parity"), append(args, "--", "sh", "all.sh")...)
	command.Dir = folder
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(folder, "own"), "PARITY_HOME=" + filepath.Join(folder, "home")}
	if int(user) != os.Getuid() {
		if err := os.Chown(folder, int(user), int(user)); err != nil {
			t.Fatal(err)
		}
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	}
	out, err := command.CombinedOutput()
	if err != nil {
		t.Logf("parity run: %v", err)
	}
	run, err := kept.Read(filepath.Join(folder, ".parity"), "last")
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return folder, run.Events
}
