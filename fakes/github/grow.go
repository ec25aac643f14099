package github

import (
	"maps"
	"slices"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Fixtures cannot say the names of git's objects, which follow from what they
// hold. They say seeds instead: commits by their message and their files.
//
//	github.seeds: [{id: acme/web@1, repo: acme/web, branch: main, message: Begin, files: {README.md: "# web\n"}}]
//
// grow makes commits of a repository's seeds when it is first reached, in the
// order in which they were said, and then they are gone.
func (c *call) grow(r repo) {
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, seeds, "repo", r.key()) {
		all = append(all, record)
	}
	if len(all) == 0 {
		return
	}
	slices.Reverse(all) // found newest first
	c.Tx.ByItself(func() { c.begin(r, all) })
}

// begin makes a repository of its seeds.
func (c *call) begin(r repo, all []*world.Record) {
	for _, record := range all {
		c.plant(r, record.Value())
		c.remove(seeds, record.ID)
	}
	fresh, _ := c.byKey(r.key())
	value := maps.Clone(fresh.value)
	value["language"], value["size"] = c.language(r, c.tip(r))
	if kept, ok := fresh.value["language"]; ok {
		value["language"] = kept
	}
	c.update(repositories, value)
	for record := range c.fake.store.Find(c.Tx, issues, "repo", r.key()) {
		c.root(r, record)
	}
}

// plant makes one commit of a seed.
func (c *call) plant(r repo, seed map[string]any) {
	branch := textOr(seed, "branch", r.branch())
	tip, ok := c.ref(r, heads+branch)
	if !ok {
		from := textOr(seed, "from", r.branch())
		if tip, ok = c.ref(r, heads+from); !ok && seed["from"] != nil {
			tip = ""
		}
	}
	o, known := c.objectOf(r, tip, commitKind)
	var parents []string
	if known {
		parents = []string{tip}
	}
	var changes []change
	files := cast.Object(seed["files"])
	for _, path := range slices.Sorted(maps.Keys(files)) {
		changes = append(changes, change{path, &entry{mode: "100644", sha: c.putBlob(r, []byte(cast.Text(files[path])))}})
	}
	for _, path := range cast.Texts(seed["remove"]) {
		changes = append(changes, change{path, nil})
	}
	by := c.seedPerson(r, seed)
	sha := c.putCommit(r, c.edit(r, o.tree(), changes), parents, by, by, kit.Text(seed, "message"))
	c.setRef(r, heads+branch, sha, commitKind)
	for _, one := range listOf(seed["checks"]) {
		if check, ok := one.(map[string]any); ok {
			c.check(r, sha, check)
		}
	}
}

func (c *call) seedPerson(r repo, seed map[string]any) person {
	login := textOr(seed, "author", r.owner())
	value, _ := c.account(login)
	p := person{name: textOr(value, "name", c.loginOf(login)), email: kit.Text(seed, "email"), zone: "+0000"}
	if p.email == "" {
		p.email = textOr(value, "email", decimal(c.userID(login))+"+"+c.loginOf(login)+"@users.noreply.github.com")
	}
	date := textOr(seed, "date", textOr(r.value, "created_at", c.now()))
	if at, err := time.Parse(time.RFC3339, date); err == nil {
		p.at = at
	}
	return p
}

// root gives the sides of a fixture's pull request the commits that their
// branches have, where it does not say which.
func (c *call) root(r repo, record *world.Record) {
	pull := cast.Object(record.Value()["pull"])
	if pull == nil {
		return
	}
	next := maps.Clone(pull)
	moved := false
	for _, side := range []string{"head", "base"} {
		at := cast.Object(pull[side])
		if isSHA(kit.Text(at, "sha")) {
			continue
		}
		from := r
		if other, ok := c.byKey(kit.Text(at, "repo")); ok {
			from = other
		}
		if sha, ok := c.ref(from, heads+kit.Text(at, "ref")); ok {
			at = maps.Clone(at)
			at["sha"] = sha
			next[side], moved = at, true
		}
	}
	if moved {
		value := changed(record)
		value["pull"] = next
		c.update(issues, value)
	}
}

// languages by the end of a file's name, of those that are common.
var languages = map[string]string{
	".go": "Go", ".js": "JavaScript", ".mjs": "JavaScript", ".ts": "TypeScript", ".tsx": "TypeScript", ".py": "Python", ".rb": "Ruby",
	".java": "Java", ".kt": "Kotlin", ".rs": "Rust", ".c": "C", ".h": "C", ".cpp": "C++", ".cs": "C#", ".php": "PHP", ".swift": "Swift",
	".sh": "Shell", ".html": "HTML", ".css": "CSS", ".scss": "SCSS", ".sql": "SQL", ".vue": "Vue", ".ex": "Elixir", ".scala": "Scala",
}

// bytesOf counts the bytes of each language in a commit, and of all files.
func (c *call) bytesOf(r repo, sha string) (by map[string]int64, all int64) {
	by = map[string]int64{}
	o, ok := c.objectOf(r, sha, commitKind)
	if !ok {
		return by, 0
	}
	for _, e := range c.files(r, o.tree()) {
		blob, ok := c.objectOf(r, e.sha, blobKind)
		if !ok {
			continue
		}
		size := cast.Int(blob.value["size"])
		all += size
		if dot := strings.LastIndexByte(e.path, '.'); dot >= 0 && languages[e.path[dot:]] != "" {
			by[languages[e.path[dot:]]] += size
		}
	}
	return by, all
}

// language is the one with the most bytes, and the size of all in kilobytes.
func (c *call) language(r repo, sha string) (any, int64) {
	by, all := c.bytesOf(r, sha)
	best, most := any(nil), int64(0)
	for _, one := range slices.Sorted(maps.Keys(by)) {
		if by[one] > most {
			best, most = one, by[one]
		}
	}
	return best, all / 1024
}

func listLanguages(c *call, r repo) (answer, *refusal) {
	by, _ := c.bytesOf(r, c.tip(r))
	shown := map[string]any{}
	for one, n := range by {
		shown[one] = n
	}
	return answer{value: shown}, nil
}
