package capture

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"software.sslmate.com/src/go-pkcs12"
)

// Programs that load something as they start may have been told of more.
func TestWhatTheParentLoadsStays(t *testing.T) {
	t.Parallel()
	parent := []string{"JAVA_TOOL_OPTIONS=-Xmx64m", "PYTHONPATH=/theirs"}
	got := settings().Environ(parent)
	for _, want := range []string{"JAVA_TOOL_OPTIONS=-Xmx64m " + forJava, "PYTHONPATH=/state/python:/theirs"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	var out bytes.Buffer
	if err := settings().Print(&out, "shell"); err != nil {
		t.Fatal(err)
	}
	shell := exec.Command("sh", "-ec", `eval "$1"; printf '%s\n%s\n' "$JAVA_TOOL_OPTIONS" "$PYTHONPATH"`, "sh", out.String())
	shell.Env = parent
	said, err := shell.CombinedOutput()
	if want := "-Xmx64m " + forJava + "\n/state/python:/theirs\n"; err != nil || string(said) != want {
		t.Errorf("%v: %s; want %s", err, said, want)
	}
}

// Another module of that name, further along the path, is imported too.
func TestPythonsOwnCustomizationStays(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 here")
	}
	theirs := t.TempDir()
	if err := os.WriteFile(filepath.Join(theirs, "sitecustomize.py"), []byte("print('theirs')\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ours, err := WritePython(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(python, "-c", "import sitecustomize; print('agent')")
	run.Env = append(os.Environ(), "PYTHONPATH="+ours+string(os.PathListSeparator)+theirs)
	if said, err := run.CombinedOutput(); err != nil || string(said) != "theirs\nagent\n" {
		t.Errorf("%v: %q", err, said)
	}
}

func TestWriteTrust(t *testing.T) {
	t.Parallel()
	bundle, err := os.ReadFile("/etc/ssl/certs/ca-certificates.crt")
	if err != nil {
		t.Skip("this machine has no roots")
	}
	kept := t.TempDir()
	written := func(bundle []byte) []byte {
		folder := t.TempDir()
		if err := (Files{Bundle: bundle, Kept: kept}).writeTrust(folder); err != nil {
			t.Fatal(err)
		}
		store, err := os.ReadFile(filepath.Join(folder, trustName))
		if err != nil {
			t.Fatal(err)
		}
		certificates, err := pkcs12.DecodeTrustStore(store, "")
		if want := strings.Count(string(bundle), "BEGIN CERTIFICATE"); err != nil || len(certificates) != want {
			t.Errorf("%d certificates, want %d: %v", len(certificates), want, err)
		}
		return store
	}
	first := written(bundle)
	if !bytes.Equal(written(bundle), first) {
		t.Error("it is made anew, though it was kept")
	}
	names, _ := filepath.Glob(filepath.Join(kept, "*"))
	if len(names) != 1 {
		t.Fatalf("kept: %q", names)
	}
	if err := os.WriteFile(names[0], first[:len(first)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	written(bundle) // half of one is none
	_, less, _ := bytes.Cut(bundle, []byte("-----END CERTIFICATE-----\n"))
	written(less)
	if is, _ := filepath.Glob(filepath.Join(kept, "*")); len(is) != 1 || is[0] == names[0] {
		t.Errorf("with other roots, kept: %q", is)
	}
}
