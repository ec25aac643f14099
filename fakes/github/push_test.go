package github_test

import (
	"strings"
	"testing"

	"parity/fakes/github/gitwire"
)

// TestPushesThatAreNoneChangeNothing sends what no git would.
func TestPushesThatAreNoneChangeNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	tip := web(r)
	r.Base = "https://github.com"
	const tree, by = "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n"
	commit := func(text string) []gitwire.Object {
		return []gitwire.Object{{Kind: gitwire.Commit, Data: []byte(text)}, {Kind: gitwire.Tree}}
	}
	for _, c := range []struct {
		name, old, ref string
		objects        []gitwire.Object
		cut            int
		want           string
	}{
		{"a good one", "", "refs/heads/a", commit("tree " + tree + "\n" + by), 0, "ok refs/heads/a"},
		{"a pack that is cut", "", "refs/heads/b", commit("tree " + tree + "\n" + by), 5, "unpack bad pack"},
		{"a commit without its tree", "", "refs/heads/b", commit("tree " + tip + "\n" + by), 0, "unpack missing necessary objects"},
		{"a commit without its parent", "", "refs/heads/b", commit("tree " + tree + "\nparent " + tree + "\n" + by), 0, "unpack missing necessary objects"},
		{"a commit that nobody made", "", "refs/heads/b", commit("tree " + tree + "\n\nx"), 0, "unpack index-pack failed"},
		{"a commit of a time that is none", "", "refs/heads/b", commit("tree " + tree + "\nauthor A <a@b> x\ncommitter A <a@b> 1\n\nx"), 0, "unpack index-pack failed"},
		{"a tree that is none", "", "refs/heads/b", []gitwire.Object{{Kind: gitwire.Tree, Data: []byte("100644 a\x00short")}}, 0, "unpack index-pack failed"},
		{"a file in the place of a commit", "", "refs/heads/b", []gitwire.Object{{Kind: gitwire.Blob, Data: []byte("x")}}, 0, "trying to write non-commit object"},
		{"a branch that has moved", tree, "refs/heads/main", commit("tree " + tree + "\n" + by), 0, "cannot lock ref 'refs/heads/main': is at " + tip + " but expected " + tree},
		{"a branch that is there", "", "refs/heads/main", commit("tree " + tree + "\n" + by), 0, "reference already exists"},
		{"a name that is none", "", "refs/heads/a..b", commit("tree " + tree + "\n" + by), 0, "ng refs/heads/a..b funny refname"},
	} {
		pack, err := gitwire.Pack(c.objects)
		if err != nil {
			t.Fatal(err)
		}
		old := c.old
		if old == "" {
			old = gitwire.Zero
		}
		var out gitwire.Out
		out.Line(old + " " + c.objects[0].Name() + " " + c.ref + "\x00 report-status")
		out.Flush()
		out.Write(pack[:len(pack)-c.cut])
		before := r.World
		said := r.Must(200, r.Send("POST", "/octocat/web.git/git-receive-pack", out.String())).Raw
		if !strings.Contains(said, c.want) {
			t.Errorf("%s: want %q:\n%s", c.name, c.want, said)
		}
		if !strings.HasPrefix(c.want, "ok ") {
			r.World = before
		}
	}
	r.Must(400, r.Send("POST", "/octocat/web.git/git-receive-pack", "what?"))
	if said := r.Must(200, r.Send("POST", "/octocat/web.git/git-upload-pack", "0032want "+tree+"\n00000009done\n")).Raw; said == "" {
		t.Error("no word on what is not there")
	}
	r.Must(403, r.Send("GET", "/octocat/web.git/info/refs", ""))
	r.Must(404, r.Send("GET", "/user", ""))
}
