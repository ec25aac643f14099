package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"parity/gateway/contain"
)

func examined(t *testing.T, e Examination) (string, int, error) {
	t.Helper()
	var out bytes.Buffer
	if e.Root == nil {
		e.Root = fstest.MapFS{}
	}
	code, err := Examine(t.Context(), &out, e)
	return out.String(), code, err
}

// What is found is told, and ends as a script can go by.
func TestExamine(t *testing.T) {
	t.Parallel()
	passed := contain.Probe{Name: "udp", Said: "udp 192.0.2.1:123: connection refused"}
	out := contain.Probe{Name: "abstract-socket", Out: true, Said: "within reach: @docker"}
	refusal := &contain.Refused{Cause: "make the namespaces: no space left on device", Mend: "sysctl user.max_user_namespaces=1000"}
	broken := errors.New("a broken pipe")
	for name, c := range map[string]struct {
		probes []contain.Probe
		err    error
		code   int
		says   []string
	}{
		"nothing got out": {[]contain.Probe{passed}, nil, 0, []string{"udp 192.0.2.1:123: connection refused", "Contained: 1 probe, none got out"}},
		"one got out":     {[]contain.Probe{passed, out}, nil, ExitOut, []string{"within reach: @docker", "abstract-socket"}},
		"none can be":     {nil, refusal, ExitRefused, []string{refusal.Cause, refusal.Mend}},
		"it broke":        {nil, broken, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := Examination{Level: contain.Whole, Form: "text", System: "linux", Try: func(context.Context, contain.Level) ([]contain.Probe, error) { return c.probes, c.err }}
			said, code, err := examined(t, e)
			if code != c.code || (err != nil) != (name == "it broke") {
				t.Errorf("ended with %d, %v", code, err)
			}
			flat := strings.Join(strings.Fields(said), " ")
			for _, want := range c.says {
				if !strings.Contains(flat, want) {
					t.Errorf("it does not say %q:\n%s", want, said)
				}
			}
			if e.Form = "json"; err == nil {
				var f Findings
				if said, code, err = examined(t, e); err != nil || code != c.code || json.Unmarshal([]byte(said), &f) != nil || f.Contained != (c.code == 0) {
					t.Errorf("as JSON: %d, %v: %s", code, err, said)
				}
			}
		})
	}
}

// What of a machine may keep containment from being is marked, and nothing else.
func TestMachine(t *testing.T) {
	t.Parallel()
	kernel := map[string]string{
		"proc/sys/kernel/osrelease": "6.1.0", "proc/sys/user/max_user_namespaces": "1000", "proc/self/status": "Seccomp:\t0\n", "proc/self/mountinfo": "", "proc/self/ns/user": "",
	}
	with := func(change map[string]string) fstest.MapFS {
		root := fstest.MapFS{}
		for _, files := range []map[string]string{kernel, change} {
			for name, text := range files {
				root[name] = &fstest.MapFile{Data: []byte(text)}
			}
		}
		return root
	}
	for name, c := range map[string]struct {
		change map[string]string
		system string
		bad    []string
	}{
		"as it should be":     {nil, "linux", nil},
		"no user namespaces":  {map[string]string{"proc/sys/user/max_user_namespaces": "0"}, "linux", []string{"user namespaces"}},
		"Debian's own switch": {map[string]string{"proc/sys/kernel/unprivileged_userns_clone": "0"}, "linux", []string{"user namespaces"}},
		"AppArmor":            {map[string]string{"proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1"}, "linux", []string{"security modules"}},
		"another system":      {nil, "darwin", []string{"system"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var bad []string
			for _, f := range machine(with(c.change), c.system, 7) {
				if f.Bad {
					bad = append(bad, f.Name)
				}
			}
			if !slices.Equal(bad, c.bad) {
				t.Errorf("%v, want %v: %+v", bad, c.bad, machine(with(c.change), c.system, 7))
			}
		})
	}
}
