package profiles_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/profiles"
)

func texts(all []*regexp.Regexp) (found []string) {
	for _, re := range all {
		found = append(found, re.String())
	}
	return found
}

// Of an agent that writes in words of its own nobody could say which of them
// mean that its work is done.
func TestWhatAnAgentSaysToPeople(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, says    string
		done, stopped []string
		output        bool
	}{
		{"nothing", "", nil, nil, false},
		{"one", "says: {done: 'paid (back|out)'}", []string{"(?i)paid (back|out)"}, nil, false},
		{"many", "says: {done: [a b, c], stopped: ['\\bno idea\\b'], output: true}", []string{"(?i)a b", "(?i)c"}, []string{`(?i)\bno idea\b`}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := parse(t, "profile: p\n"+c.says+"\n")
			for _, got := range []profiles.Says{p.Says, parse(t, string(p.Content)).Says} {
				if diff := cmp.Diff([]any{c.done, c.stopped, c.output}, []any{texts(got.Done), texts(got.Stopped), got.Output}); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			}
		})
	}
	if p := parse(t, "profile: p\nsays: {done: paid back}\n"); !p.Says.Done[0].MatchString("You were PAID back today.") {
		t.Error("case tells words apart")
	}
}

// A profile that extends another lost the words of that as soon as it had one
// of its own.
func TestWordsOfExtendedProfilesAddUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"one.yaml":   "profile: one\nsays: {done: [sent, paid], output: true}\n",
		"other.yaml": "profile: other\nsays: {done: closed, stopped: no idea}\n",
		"both.yaml":  "profile: both\nextends: [./one.yaml, ./other.yaml]\nsays: {done: [paid, done]}\n",
		"quiet.yaml": "profile: quiet\nextends: [./one.yaml]\nsays: {output: false}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := options(t, dir)
	both, err := profiles.Load("./both.yaml", o)
	if err != nil {
		t.Fatal(err)
	}
	want := []any{[]string{"(?i)paid", "(?i)done", "(?i)closed", "(?i)sent"}, []string{"(?i)no idea"}, true}
	if diff := cmp.Diff(want, []any{texts(both.Says.Done), texts(both.Says.Stopped), both.Says.Output}); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if quiet, err := profiles.Load("./quiet.yaml", o); err != nil || quiet.Says.Output || len(quiet.Says.Done) != 2 {
		t.Errorf("%+v, %v", quiet, err)
	}
}

// What is wrong with a pattern is said with its place, and with what to write.
func TestWordsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, says, want string }{
		{"a parenthesis", "says: {done: ['ok', ':(']}", `p.yaml:2:21: says.done: ":(" cannot be read: missing closing ): :(; what is meant as it stands has a \ before it, such as \( or \?`},
		{"looking ahead", "says: {stopped: '(?=x)'}", `RE2 looks neither ahead nor back`},
		{"a control character", `says: {done: "\bpaid"}`, `write the pattern in single quotes`},
		{"found everywhere", "says: {done: 'x*'}", `"x*" is found in every text; leave out what may be missing`},
		{"too long", "says: {done: '" + strings.Repeat("é", 201) + "'}", `has 201 characters, and may have 200`},
		{"both", "says: {done: [paid], stopped: [paid]}", `says.stopped: "paid" is in done as well; keep it in one of them`},
		{"too many", "says: {done: [" + strings.Repeat("paid, ", 100) + "x]}", `says.done: there are more than 100 patterns`},
		{"too deep", "says: {done: '" + strings.Repeat("(", 199) + "'}", `cannot be read`},
		{"another key", "says: {finished: paid}", `there is no key "says.finished"`},
		{"none", "says: {done: []}", `says.done is an empty list`},
		{"a number", "says: {done: 5}", `quote it if it is meant as text`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := profiles.Parse("p.yaml", []byte("profile: p\n"+c.says+"\n"), options(t, t.TempDir()))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v\nwanted %s", err, c.want)
			}
		})
	}
}
