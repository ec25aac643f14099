package github

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// Kinds of git's objects.
const (
	blobKind   = "blob"
	treeKind   = "tree"
	commitKind = "commit"
	tagKind    = "tag"
)

const treeMode = "040000"

// An object is what the store holds under a name. A field that was not told (the
// tree of a commit that only a recorded reply mentions) is empty.
type object struct {
	sha   string
	value map[string]any
}

func (o object) kind() string { return kit.Text(o.value, "kind") }
func (o object) tree() string { return kit.Text(o.value, "tree") }

// height is one more than that of the commits it comes of; 0 where it has none.
func (o object) height() int64 { return cast.Int(o.value["height"]) }

func (o object) parents() []string { return cast.Texts(o.value["parents"]) }

// content is what a blob holds.
func (o object) content() []byte {
	if packed := kit.Text(o.value, "base64"); packed != "" {
		data, err := base64.StdEncoding.DecodeString(packed)
		must(err)
		return data
	}
	return []byte(kit.Text(o.value, "text"))
}

// object finds an object in the store that a repository shares with its forks.
func (c *call) object(r repo, sha string) (object, bool) {
	if o, coming := c.incoming[sha]; coming {
		c.Spend(1) // as reading one that is kept
		return o, true
	}
	record, ok := c.Tx.Get(objectsCollection, r.network()+":"+sha)
	if !ok {
		return object{}, false
	}
	return object{sha, record.Value()}, true
}

func (c *call) objectOf(r repo, sha, kind string) (object, bool) {
	o, ok := c.object(r, sha)
	return o, ok && o.kind() == kind
}

// put keeps an object; one that is there already is the same.
func (c *call) put(r repo, sha string, value map[string]any) object {
	key := r.network() + ":" + sha
	if record, ok := c.Tx.Get(objectsCollection, key); ok {
		return object{sha, record.Value()}
	}
	value["id"] = key
	_, err := c.Tx.Insert(objectsCollection, key, value)
	must(err)
	return object{sha, value}
}

func (c *call) putBlob(r repo, data []byte) string {
	sha := gitSHA(blobKind, data)
	c.put(r, sha, blobValue(data))
	return sha
}

func blobValue(data []byte) map[string]any {
	value := map[string]any{"kind": blobKind, "size": int64(len(data))}
	if utf8.Valid(data) {
		value["text"] = string(data)
	} else {
		value["base64"] = base64.StdEncoding.EncodeToString(data)
	}
	return value
}

// An entry is one line of a tree.
type entry struct {
	path, mode, sha string
}

func (e entry) kind() string {
	switch e.mode {
	case treeMode:
		return treeKind
	case "160000":
		return commitKind
	}
	return blobKind
}

// sortEntries puts the entries of a tree in git's order: a folder counts as if
// a slash followed its name.
func sortEntries(all []entry) {
	name := func(e entry) string {
		if e.mode == treeMode {
			return e.path + "/"
		}
		return e.path
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(name(a), name(b)) })
}

func (c *call) putTree(r repo, all []entry) string {
	sortEntries(all)
	sha := gitSHA(treeKind, treeBytes(all))
	c.put(r, sha, treeValue(all))
	return sha
}

func treeValue(all []entry) map[string]any {
	kept := make([]any, len(all))
	for i, e := range all {
		kept[i] = map[string]any{"path": e.path, "mode": e.mode, "sha": e.sha}
	}
	return map[string]any{"kind": treeKind, "entries": kept}
}

// entries lists a tree; nothing where it is not known.
func (c *call) entries(r repo, tree string) []entry {
	o, ok := c.objectOf(r, tree, treeKind)
	if !ok {
		return nil
	}
	return o.entries()
}

func (o object) entries() []entry {
	list, _ := o.value["entries"].([]any)
	all := make([]entry, 0, len(list))
	for _, one := range list {
		m, _ := one.(map[string]any)
		all = append(all, entry{kit.Text(m, "path"), kit.Text(m, "mode"), kit.Text(m, "sha")})
	}
	return all
}

// A person made a commit, at a time.
type person struct {
	name, email string
	at          time.Time
	zone        string // +0000
}

func (p person) line() string {
	return fmt.Sprintf("%s <%s> %d %s", p.name, p.email, p.at.Unix(), p.zone)
}

func (p person) kept() map[string]any {
	return map[string]any{"name": p.name, "email": p.email, "date": stamp(p.at)}
}

// self is the caller as git knows them.
func (c *call) self() person {
	value, _ := c.account(c.viewer)
	p := person{name: kit.Text(value, "name"), email: kit.Text(value, "email"), at: c.Now, zone: "+0000"}
	if p.name == "" {
		p.name = c.loginOf(c.viewer)
	}
	if p.email == "" {
		p.email = decimal(c.userID(c.viewer)) + "+" + c.loginOf(c.viewer) + "@users.noreply.github.com"
	}
	return p
}

// webFlow is who GitHub says has committed what was done on its pages.
func (c *call) webFlow() person {
	return person{name: "GitHub", email: "noreply@github.com", at: c.Now, zone: "+0000"}
}

// personIn reads who a request says made a commit; otherwise where it says
// nothing.
func (c *call) personIn(field string, otherwise person) (person, *refusal) {
	given, ok := c.Input.Body[field].(map[string]any)
	if !ok {
		return otherwise, nil
	}
	p := person{name: kit.Text(given, "name"), email: kit.Text(given, "email"), at: c.Now, zone: "+0000"}
	if date := kit.Text(given, "date"); date != "" {
		at, err := time.Parse(time.RFC3339, date)
		if err != nil {
			return p, unprocessable("Invalid request.\n\n%s is not a valid date-time.", kit.Clip(date))
		}
		p.at, p.zone = at, at.Format("-0700")
	}
	return p, nil
}

// putCommit writes a commit as git would, and gives its name.
func (c *call) putCommit(r repo, tree string, parents []string, author, committer person, message string) string {
	data := commitBytes(tree, parents, author, committer, message)
	sha := gitSHA(commitKind, data)
	c.put(r, sha, exact(sha, data, map[string]any{
		"kind": commitKind, "tree": tree, "parents": cast.Anys(parents), "height": c.height(r, parents),
		"author": author.kept(), "committer": committer.kept(), "message": message,
	}))
	return sha
}
