package github

import (
	"errors"
	"maps"
	"net/http"
	"strings"

	"parity/fakes/github/gitwire"
)

// mostPushed is how many bytes a push may bring, inflated. GitHub takes 2 GB.
const mostPushed = 64 << 20

// mostInFile is how large a file may be.
// Source: docs.github.com/repositories/working-with-files/managing-large-files/about-large-files-on-github.
const mostInFile = 100 << 20

// A pushing is a push under way: what is said of each command, and what git
// shows after "remote: ".
type pushing struct {
	*call
	r       repo
	asks    gitwire.Push
	refused []string // why, by the command; "": it is not
	large   bool     // a file that comes is larger than GitHub takes
	said    strings.Builder
}

// takePush answers git-receive-pack. All that a push does is one change of
// the world; of its commands each stands for itself, unless it is atomic.
func takePush(c *call) (answer, *refusal) {
	r, refused := c.gitRepository(true)
	if refused != nil {
		return answer{}, refused
	}
	asks, err := gitwire.ReadPush(c.Body)
	if err != nil {
		return answer{}, refusing(http.StatusBadRequest, "%s", err)
	}
	p := &pushing{call: c, r: r, asks: asks, refused: make([]string, len(asks.Commands))}
	if len(asks.Commands) == 0 { // git asks so whether it may push, before it sends much
		return p.report("")
	}
	if err := p.unpack(); err != nil {
		for i := range p.refused {
			p.refused[i] = "unpacker error"
		}
		return p.report(err.Error())
	}
	for i, one := range asks.Commands {
		p.refused[i] = p.judge(one)
	}
	p.allOrNone()
	p.keep()
	for i, one := range asks.Commands {
		if p.refused[i] == "" {
			p.move(one)
		}
	}
	return p.report("")
}

// unpack reads what the push brings, and holds it back.
func (p *pushing) unpack() error {
	p.incoming = map[string]object{}
	if len(p.asks.Pack) == 0 {
		return nil
	}
	limits := gitwire.Limits{Bytes: mostPushed, Spend: func(n int) { p.Spend(n/64 + 1) }}
	all, err := gitwire.Unpack(p.asks.Pack, limits, func(name string) (gitwire.Object, bool) {
		o, ok := p.object(p.r, name)
		if !ok {
			return gitwire.Object{}, false
		}
		data, ok := o.encoded()
		p.Spend(len(data)/256 + 1) // each time that a delta is laid over it
		return gitwire.Object{Kind: o.kind(), Data: data}, ok
	})
	if err != nil {
		return err
	}
	for _, one := range all {
		o, ok := decoded(one)
		if !ok {
			return errors.New("index-pack failed")
		}
		p.incoming[o.sha] = o
		p.large = p.large || o.kind() == blobKind && len(one.Data) > mostInFile
	}
	for _, o := range p.incoming {
		if !p.whole(o) {
			return errors.New("missing necessary objects")
		}
	}
	p.measure()
	return nil
}

// whole tells whether all that an object names is there.
func (p *pushing) whole(o object) bool {
	there := func(sha, kind string) bool {
		other, ok := p.object(p.r, sha)
		return ok && other.kind() == kind
	}
	switch o.kind() {
	case commitKind:
		for _, parent := range o.parents() {
			if !there(parent, commitKind) {
				return false
			}
		}
		return there(o.tree(), treeKind)
	case tagKind:
		_, ok := p.object(p.r, o.value["object"].(string))
		return ok
	}
	for _, e := range o.entries() {
		if e.kind() != commitKind && !there(e.sha, e.kind()) {
			return false
		}
	}
	return true
}

// measure gives each commit that comes its height, parents first.
func (p *pushing) measure() {
	for _, sha := range sortedKeys(p.incoming) {
		for todo := []string{sha}; len(todo) > 0; {
			o, waits := p.incoming[todo[len(todo)-1]], false
			for _, parent := range o.parents() {
				if it, coming := p.incoming[parent]; coming && it.value["height"] == nil {
					todo, waits = append(todo, parent), true
				}
			}
			if waits {
				p.Spend(1)
				continue
			}
			todo = todo[:len(todo)-1]
			if o.kind() == commitKind && o.value["height"] == nil {
				o.value["height"] = p.height(p.r, o.parents())
			}
		}
	}
}

// allOrNone gives up what was asked for together where a part of it is refused.
func (p *pushing) allOrNone() {
	if !p.asks.Able.Has("atomic") {
		return
	}
	for _, why := range p.refused {
		if why == "" {
			continue
		}
		for i, other := range p.refused {
			if other == "" {
				p.refused[i] = "atomic push failure"
			}
		}
		return
	}
}

// keep writes down what the push brings, unless all of it was refused.
func (p *pushing) keep() {
	taken := false
	for _, why := range p.refused {
		taken = taken || why == ""
	}
	coming := p.incoming
	p.incoming = nil
	if !taken {
		return
	}
	for _, sha := range sortedKeys(coming) {
		p.put(p.r, sha, coming[sha].value)
	}
}

// move does one command.
func (p *pushing) move(one gitwire.Command) {
	if one.New == "" {
		if _, there := p.ref(p.r, one.Ref); there {
			p.remove(refs, refKey(p.r, one.Ref))
			p.pushedRef(p.r, one.Ref, one.Old, "")
		}
		return
	}
	branch, ofBranch := strings.CutPrefix(one.Ref, heads)
	if ofBranch && len(p.references(p.r, heads)) == 0 && branch != p.r.branch() {
		p.firstBranch(branch)
	}
	o, _ := p.object(p.r, one.New)
	p.setRef(p.r, one.Ref, one.New, o.kind())
	p.pushedRef(p.r, one.Ref, one.Old, one.New)
	if ofBranch && one.Old == "" && branch != p.r.branch() {
		p.say("\nCreate a pull request for '" + branch + "' on GitHub by visiting:\n     " + p.page(p.r) + "/pull/new/" + branch + "\n\n")
	}
}

// firstBranch makes the first branch of an empty repository its default.
func (p *pushing) firstBranch(branch string) {
	fresh, _ := p.byKey(p.r.key())
	value := maps.Clone(fresh.value)
	value["default_branch"] = branch
	p.update(repositories, value)
	p.r, _ = p.byKey(p.r.key())
}

// say adds to what git shows after "remote: ".
func (p *pushing) say(text string) { p.said.WriteString(text) }

// report tells the client what became of its push.
func (p *pushing) report(broken string) (answer, *refusal) {
	var inner, out gitwire.Out
	if broken == "" {
		broken = "ok"
	}
	inner.Line("unpack " + broken)
	for i, one := range p.asks.Commands {
		if p.refused[i] == "" {
			inner.Line("ok " + one.Ref)
		} else {
			inner.Line("ng " + one.Ref + " " + p.refused[i])
		}
	}
	inner.Flush()
	asked := p.asks.Able.Has("report-status") || p.asks.Able.Has("report-status-v2")
	size := p.asks.Able.BandSize()
	switch {
	case len(p.asks.Commands) == 0:
	case size == 0 && asked:
		out.Write(inner.Bytes())
	case size > 0:
		out.Band(gitwire.BandProgress, []byte(p.said.String()), size)
		if asked {
			out.Band(gitwire.BandData, inner.Bytes(), size)
		}
		out.Flush()
	}
	return answer{raw: out.Bytes(), kind: "application/x-" + receivePack + "-result"}, nil
}
