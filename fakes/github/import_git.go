package github

import (
	"maps"
	"path"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// reference takes in what a reference points to, unless that is known.
func (a importer) reference(r repo, ref, sha, kind string) {
	if !isSHA(sha) || !strings.HasPrefix(ref, "refs/") {
		return
	}
	if kind == commitKind || kind == "" {
		a.stub(r, sha)
	}
	if a.Operation.Method == "POST" {
		return // it was not there before
	}
	old, known := a.ref(r, ref)
	if known && (a.Operation.Method != "GET" || !a.guessed(r, old)) {
		return
	}
	if known && old != sha {
		a.rebase(r, old, sha)
	}
	a.setRef(r, ref, sha, commitKind)
}

// guessed tells whether a commit is one that Import made up, since there must
// have been one.
func (a importer) guessed(r repo, sha string) bool {
	o, ok := a.objectOf(r, sha, commitKind)
	return ok && len(o.parents()) == 0 && kit.Text(o.value, "message") == "Initial commit"
}

// rebase keeps the history of a branch whose made-up commit gives way to a told
// one: what is not known of that comes after what was there.
func (a importer) rebase(r repo, _, sha string) { a.stub(r, sha) }

// stub puts in the place of a commit, of which only the name is known, one that
// adds a line to what the default branch has.
func (a importer) stub(r repo, sha string) {
	if _, known := a.object(r, sha); known || !isSHA(sha) {
		return
	}
	a.begun(r)
	tip := a.tip(r)
	o, _ := a.objectOf(r, tip, commitKind)
	tree := a.edit(r, o.tree(), []change{{sha[:7] + ".txt", &entry{mode: "100644", sha: a.putBlob(r, []byte(sha+"\n"))}}})
	by := cast.Object(o.value["author"])
	a.put(r, sha, map[string]any{
		"kind": commitKind, "tree": tree, "parents": []any{tip}, "author": by, "committer": by, "message": stubbed(sha),
	})
}

// stubbed is what a commit says of which only the name is known.
func stubbed(sha string) string { return "Change " + sha[:7] }

// commit takes in a commit with all that is told of it.
func (a importer) commit(r repo, shown map[string]any) {
	sha, inner := kit.Text(shown, "sha"), cast.Object(shown["commit"])
	if !isSHA(sha) || inner == nil {
		return
	}
	someone := func(field string) map[string]any {
		p := cast.Object(inner[field])
		if p == nil {
			return nil
		}
		p = maps.Clone(p)
		p["login"] = cast.Object(shown[field])["login"]
		return p
	}
	parents := []any{}
	for _, one := range listOf(shown["parents"]) {
		if parent, ok := one.(map[string]any); ok {
			parents = append(parents, parent["sha"])
		}
	}
	key := r.network() + ":" + sha
	if old, known := a.Tx.Get(objectsCollection, key); known {
		if kit.Text(old.Value(), "message") != stubbed(sha) {
			return
		}
		told := kit.Text(inner, "tree.sha")
		if _, known := a.object(r, told); !known { // only its name was known, and what was told of its files stays
			a.grow(r, told, slices.DeleteFunc(a.entries(r, object{sha, old.Value()}.tree()), func(e entry) bool { return e.path == sha[:7]+".txt" }))
		}
		must(a.Tx.Delete(objectsCollection, key))
	}
	a.put(r, sha, map[string]any{
		"kind": commitKind, "tree": kit.Text(inner, "tree.sha"), "parents": parents, "author": someone("author"), "committer": someone("committer"),
		"message": inner["message"], "comment_count": cast.Int(inner["comment_count"]), "verification": inner["verification"],
	})
}

// file takes in a file, with its content where that is told, by a commit that
// comes before whatever is there.
func (a importer) file(r repo, shown map[string]any) {
	sha, at := kit.Text(shown, "sha"), kit.Text(shown, "path")
	if a.Operation.Method != "GET" || !isSHA(sha) || at == "" || kit.Text(shown, "type") == "dir" {
		return
	}
	a.begun(r)
	o, ok := a.objectOf(r, a.tip(r), commitKind)
	if !ok {
		return
	}
	if data, err := decode64(kit.Text(shown, "content")); err == nil && len(data) > 0 && gitSHA(blobKind, data) == sha {
		a.tell(r, sha, data)
	}
	value := map[string]any{"kind": blobKind, "size": cast.Int(shown["size"]), "text": strings.Repeat(" ", int(min(cast.Int(shown["size"]), 1<<16)))}
	if _, known := a.object(r, sha); !known {
		a.put(r, sha, value)
	}
	var changes []change
	if e, there := a.find(r, o.tree(), at); !there || e.sha != sha {
		changes = append(changes, change{at, &entry{mode: "100644", sha: sha}})
	}
	if name := path.Base(at); strings.EqualFold(name, "readme.md") || a.id == "repos/get-content-root" || a.id == "repos/get-content-slash" {
		changes = append(changes, a.unguess(r, o.tree(), at)...)
	}
	if len(changes) == 0 {
		return
	}
	tree := a.edit(r, o.tree(), changes)
	if !a.guessed(r, o.sha) && kit.Text(o.value, "message") != stubbed(o.sha) {
		a.grow(r, o.tree(), a.entries(r, tree))
		return
	}
	next := maps.Clone(o.value)
	next["tree"] = tree
	_, err := a.Tx.Update(objectsCollection, r.network()+":"+o.sha, next)
	must(err)
}

// grow gives a tree, of which a commit told the name, the entries that are known.
func (a importer) grow(r repo, tree string, all []entry) {
	if !isSHA(tree) {
		return
	}
	value, key := treeValue(all), r.network()+":"+tree
	if _, known := a.object(r, tree); !known {
		a.put(r, tree, value)
		return
	}
	value["id"] = key
	_, err := a.Tx.Update(objectsCollection, key, value)
	must(err)
}

// tipped moves the default branch to the commit that a list of them begins with. The
// files that were told before are there, too.
func (a importer) tipped(r repo, sha string) {
	old, now := a.tip(r), object{}
	if o, ok := a.objectOf(r, sha, commitKind); ok {
		now = o
	}
	if _, known := a.object(r, now.tree()); !known && a.guessed(r, old) {
		o, _ := a.objectOf(r, old, commitKind)
		a.grow(r, now.tree(), a.entries(r, o.tree()))
	}
	a.setRef(r, heads+r.branch(), sha, commitKind)
}

func (a importer) find(r repo, tree, at string) (entry, bool) { return a.call.walk(r, tree, at) }

// unguess takes the made-up README away, where what is told shows another.
func (a importer) unguess(r repo, tree, at string) []change {
	e, ok := a.find(r, tree, "README.md")
	if !ok || at == "README.md" || e.sha != gitSHA(blobKind, []byte("# "+r.name()+"\n")) {
		return nil
	}
	return []change{{"README.md", nil}}
}

// tell keeps what a blob holds, of which only the size was known.
func (a importer) tell(r repo, sha string, data []byte) {
	old, known := a.object(r, sha)
	if !known {
		a.putBlob(r, data)
		return
	}
	next := maps.Clone(old.value)
	next["text"], next["size"] = string(data), int64(len(data))
	_, err := a.Tx.Update(objectsCollection, r.network()+":"+sha, next)
	must(err)
}
