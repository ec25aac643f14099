package profiles_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/profiles"
	"parity/specs"
)

var update = flag.Bool("update", false, "write what is expected anew, from what is")

// shared is the one catalogue of all tests: it is only read, and building it
// takes longer than most of them.
var shared = sync.OnceValues(buildCatalogue)

func catalogue(t testing.TB) *fakes.Catalogue {
	t.Helper()
	all, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// buildCatalogue has what ships, and where that is not among it, a service that
// sends mail.
func buildCatalogue() (*fakes.Catalogue, error) {
	ships, err := builtin.Catalogue()
	if err != nil {
		return nil, err
	}
	if _, mails := ships.Service("sendgrid"); mails {
		return ships, nil
	}
	mail := &specs.Contract{Service: "sendgrid", Operations: []*specs.Operation{
		{Service: "sendgrid", ID: "SendMail", Method: "POST", Path: "/v3/mail/send", Effect: specs.Irreversible},
	}}
	return fakes.NewCatalogue(append(ships.Services(), fakes.Service{Name: "sendgrid", Contract: mail, Hosts: []string{"api.sendgrid.com"}})...)
}

// wall stands still.
type wall time.Time

func (w wall) Now() time.Time { return time.Time(w) }

func (w wall) After(time.Duration) (<-chan time.Time, func()) { return nil, func() {} }

func options(t testing.TB, dir string) profiles.Options {
	t.Helper()
	return profiles.Options{Catalogue: catalogue(t), Dir: dir, Wall: wall(time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC))}
}

// TestBroken holds each file of testdata/bad against the lines of the .want
// file beside it.
func TestBroken(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	o := options(t, "testdata/bad")
	for _, file := range files {
		base := filepath.Base(file)
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			p, err := profiles.Load("./"+base, o)
			got := ""
			switch {
			case err != nil:
				got = err.Error() + "\n"
			case len(p.Warnings) > 0:
				got = p.Warnings.Error() + "\n"
			}
			if abs, err := filepath.Abs("testdata/bad"); err == nil {
				got = strings.ReplaceAll(got, abs, "HERE")
			}
			golden := strings.TrimSuffix(file, ".yaml") + ".want"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got == "" {
				t.Error("nothing was found wrong with it")
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func parse(t testing.TB, content string) *profiles.Profile {
	t.Helper()
	p, err := profiles.Parse("rough.yaml", []byte(content), options(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
