package github

import (
	"maps"
	"slices"

	"parity/fakes/github/gitwire"
	"parity/fakes/kit"
)

// A fetching is the answer to a client that fetches: which commits it lacks, and
// what comes with them.
type fetching struct {
	*call
	r    repo
	asks gitwire.Fetch
	out  gitwire.Out

	shallow map[string]bool // where the client's history ends
	edge    map[string]bool // where it will end
	common  []string        // what both have, as far as the client told
	judged  int             // of how many of these enough has judged
	reached bool            // what it found
	owned   map[string]bool // commits that the client has
}

// fetchPack answers git-upload-pack.
func fetchPack(c *call) (answer, *refusal) {
	r, refused := c.gitRepository(false)
	if refused != nil {
		return answer{}, refused
	}
	f := &fetching{call: c, r: r, shallow: map[string]bool{}, edge: map[string]bool{}}
	reply := func() (answer, *refusal) {
		return answer{raw: f.out.Bytes(), kind: "application/x-" + uploadPack + "-result"}, nil
	}
	fail := func(text string) (answer, *refusal) {
		f.out.Reset()
		f.out.Line("ERR upload-pack: " + text)
		return reply()
	}
	var err error
	if f.asks, err = gitwire.ReadFetch(c.Body); err != nil {
		return fail(err.Error())
	}
	for _, want := range f.asks.Wants {
		if _, ok := c.object(r, want); !ok {
			return fail("not our ref " + want)
		}
	}
	if len(f.asks.Wants) == 0 {
		return reply()
	}
	for _, sha := range f.asks.Shallow {
		f.shallow[sha] = true
	}
	within := f.deepen()
	if !f.negotiate() {
		return reply()
	}
	objects, missing := f.collect(within)
	if missing != "" {
		return fail("unable to read " + missing)
	}
	pack, err := gitwire.Pack(objects)
	if err != nil {
		return fail(err.Error())
	}
	f.send(pack, len(objects))
	return reply()
}

// tips are the commits that a client wants.
func (f *fetching) tips() []string {
	var all []string
	for _, want := range f.asks.Wants {
		if _, ok := f.objectOf(f.r, f.peeled(f.r, want), commitKind); ok {
			all = append(all, f.peeled(f.r, want))
		}
	}
	return all
}

// deepen tells a client that wants a few commits only where its history ends, and
// gives those within; nil: all are.
func (f *fetching) deepen() map[string]bool {
	if f.asks.Depth == 0 {
		f.edge = f.shallow
		return nil
	}
	within := map[string]bool{}
	level := f.tips()
	for depth := 1; len(level) > 0 && depth <= f.asks.Depth; depth++ {
		var next []string
		for _, sha := range level {
			o, ok := f.objectOf(f.r, sha, commitKind)
			if !ok || within[sha] {
				continue
			}
			within[sha] = true
			if depth == f.asks.Depth && len(o.parents()) > 0 {
				f.edge[sha] = true
			}
			next = append(next, o.parents()...)
		}
		level = next
	}
	for _, sha := range slices.Sorted(maps.Keys(f.edge)) {
		if !f.shallow[sha] {
			f.out.Line("shallow " + sha)
		}
	}
	for _, sha := range f.asks.Shallow {
		if within[sha] && !f.edge[sha] {
			f.out.Line("unshallow " + sha)
		}
	}
	f.out.Flush()
	return within
}

// negotiate says which of the commits that the client has are known here, and
// tells whether that is enough to make a pack of what it lacks.
func (f *fetching) negotiate() bool {
	detailed, several := f.asks.Able.Has("multi_ack_detailed"), f.asks.Able.Has("multi_ack")
	ready := false
	for _, haves := range f.asks.Haves {
		fresh := false
		for _, have := range haves {
			if _, ok := f.objectOf(f.r, have, commitKind); !ok {
				if enough := f.enough(); enough && detailed {
					ready = true
					f.out.Line("ACK " + have + " ready")
				} else if enough && several {
					f.out.Line("ACK " + have + " continue")
				}
				continue
			}
			fresh = true
			f.common = append(f.common, have)
			switch {
			case detailed:
				f.out.Line("ACK " + have + " common")
			case several:
				f.out.Line("ACK " + have + " continue")
			case len(f.common) == 1:
				f.out.Line("ACK " + have)
			}
		}
		if f.asks.Done {
			continue
		}
		if detailed && fresh && !ready && f.enough() {
			ready = true
			f.out.Line("ACK " + f.last() + " ready")
		}
		if len(f.common) == 0 || detailed || several {
			f.out.Line("NAK")
		}
	}
	switch {
	case f.asks.Done && len(f.common) == 0:
		f.out.Line("NAK")
	case f.asks.Done && (detailed || several), ready && f.asks.Able.Has("no-done"):
		f.out.Line("ACK " + f.last())
	default:
		return f.asks.Done
	}
	return true
}

func (f *fetching) last() string { return f.common[len(f.common)-1] }

// enough tells whether each commit that is wanted comes of one that both have.
func (f *fetching) enough() bool {
	if f.reached || f.judged == len(f.common) {
		return f.reached
	}
	f.judged, f.reached = len(f.common), true
	for _, want := range f.tips() {
		if !slices.ContainsFunc(f.common, func(have string) bool { return f.isAncestor(f.r, have, want) }) {
			f.reached = false
		}
	}
	return f.reached
}

// line lists commits and all that led to them, but not past an end of history,
// nor those that are left out.
func (f *fetching) line(from []string, ends map[string]bool, without func(string) bool) []object {
	met := map[string]bool{}
	var all []object
	for todo := slices.Clone(from); len(todo) > 0; {
		sha := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		o, ok := f.objectOf(f.r, sha, commitKind)
		if !ok || met[sha] || without(sha) {
			continue
		}
		met[sha] = true
		all = append(all, o)
		if !ends[sha] {
			todo = append(todo, o.parents()...)
		}
	}
	return all
}

// collect gives the objects that the client lacks: commits, then tags, then what
// is in the commits' trees. missing: one of which nothing but its name is known.
func (f *fetching) collect(within map[string]bool) (objects []gitwire.Object, missing string) {
	f.owned = map[string]bool{}
	for _, o := range f.line(f.common, f.shallow, func(string) bool { return false }) {
		f.owned[o.sha] = true
	}
	fresh := f.line(f.tips(), f.edge, func(sha string) bool { return within != nil && !within[sha] || within == nil && f.owned[sha] })
	fresh = slices.DeleteFunc(fresh, func(o object) bool { return f.owned[o.sha] })
	g := &gathering{call: f.call, r: f.r, met: map[string]bool{}}
	for _, o := range f.nearest(fresh) {
		g.skip(o.tree())
	}
	for _, o := range fresh {
		g.add(o)
	}
	for _, want := range f.asks.Wants {
		g.tag(want)
	}
	if f.asks.Able.Has("include-tag") {
		for _, record := range f.references(f.r, tags) {
			if sha := kit.Text(record.Value(), "sha"); g.met[f.peeled(f.r, sha)] {
				g.tag(sha)
			}
		}
	}
	for _, o := range fresh {
		g.below(o.tree())
	}
	for _, want := range f.asks.Wants { // of a client that lacks objects of commits which it has
		g.below(want)
	}
	return g.all, g.missing
}

// nearest are the commits that the client has, of which it has the files, too, as
// far as what it lacks may share those.
func (f *fetching) nearest(fresh []object) []object {
	names := slices.Clone(f.common)
	for _, o := range fresh {
		for _, parent := range o.parents() {
			if f.owned[parent] {
				names = append(names, parent)
			}
		}
	}
	var all []object
	for _, sha := range names {
		if o, ok := f.objectOf(f.r, sha, commitKind); ok {
			all = append(all, o)
		}
	}
	return all
}

// A gathering is objects on their way into a pack.
type gathering struct {
	*call
	r       repo
	met     map[string]bool
	all     []gitwire.Object
	missing string
}

// skip takes a tree, and what is below it, for what is there already.
func (g *gathering) skip(tree string) {
	if g.met[tree] {
		return
	}
	g.met[tree] = true
	for _, e := range g.entries(g.r, tree) {
		if e.mode == treeMode {
			g.skip(e.sha)
		}
		g.met[e.sha] = true
	}
}

func (g *gathering) add(o object) {
	if g.met[o.sha] {
		return
	}
	g.met[o.sha] = true
	data, ok := o.encoded()
	if !ok && g.missing == "" {
		g.missing = o.sha
	}
	g.Spend(len(data)/32 + 1) // it is digested and compressed
	g.all = append(g.all, gitwire.Object{Kind: o.kind(), Data: data})
}

// tag adds a tag, and those that it is of.
func (g *gathering) tag(sha string) {
	for o, ok := g.objectOf(g.r, sha, tagKind); ok && !g.met[o.sha]; o, ok = g.objectOf(g.r, kit.Text(o.value, "object"), tagKind) {
		g.add(o)
	}
}

// below adds a tree, or a file, and all that is below it.
func (g *gathering) below(sha string) {
	o, ok := g.object(g.r, sha)
	if !ok {
		if g.missing == "" {
			g.missing = sha
		}
		return
	}
	if g.met[sha] || o.kind() != treeKind && o.kind() != blobKind {
		return
	}
	g.add(o)
	for _, e := range o.entries() {
		if e.kind() != commitKind { // a submodule's commit is in another repository
			g.below(e.sha)
		}
	}
}

// send writes the pack, and what git shows meanwhile.
func (f *fetching) send(pack []byte, count int) {
	size := f.asks.Able.BandSize()
	if size == 0 {
		f.out.Write(pack)
		return
	}
	if !f.asks.Able.Has("no-progress") {
		n := decimal(int64(count))
		f.out.Band(gitwire.BandProgress, []byte("Enumerating objects: "+n+", done.\n"), size)
		f.out.Band(gitwire.BandProgress, []byte("Total "+n+" (delta 0), reused 0 (delta 0), pack-reused 0 (from 0)\n"), size)
	}
	f.out.Band(gitwire.BandData, pack, size)
	f.out.Flush()
}
