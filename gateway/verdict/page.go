package verdict

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"

	"parity/fakes/world"
	"parity/faults"
	"parity/faults/trail"
)

// readsOn judges what an agent did about a list, or an answer, that had less in
// it than there was: it reads the rest before anything rests on what it has, or
// says that it has not all.
func (j *judge) readsOn(f firing) finding {
	line := tag(f.c) + did(f, "the fault", "answered in part")
	if f.class() == faults.ShortAnswer {
		if n := j.nulled(f); n != nil {
			return *n
		}
	}
	var same *call // the same page once more, which had all
	a := j.after(f.c, func(n *call) bool {
		again := samePage(f, n)
		if again && same == nil && whole(n) {
			same = n
		}
		return !again && readsRest(f, n)
	})
	switch act := j.drawn(f, &a); {
	case a.repair != nil && act == nil:
		return finding{reaction: trail.Handled, calls: []*call{a.repair}, line: line + gap + tag(a.repair) + "read on"}
	case same != nil && (act == nil || act.open > same.open) && !j.claimAfter(f.c).owns():
		return finding{
			reaction: trail.Unjudged, calls: []*call{same}, line: line + gap + tag(same) + "asked for the same once more, and got all of it",
			why: "the fault struck once, and production would have given the same page again", settle: trail.SettleEachTime,
		}
	case act != nil && j.claimAfter(f.c).owns():
		said := j.claimAfter(f.c)
		return finding{reaction: trail.Handled, calls: []*call{act}, also: said.seq, line: line + gap + j.deed(act) + ", without having read on" + gap + event(said.seq) + "the agent said: " + said.Status}
	case silent(f) && j.tookForGone(f, &a) != nil:
		n := j.tookForGone(f, &a)
		return finding{
			reaction: trail.Mishandled, presumed: true, calls: []*call{n}, line: line + gap + j.deed(n) + ", as if what was left out did not exist",
			head: "took what was left out for gone", remedy: "ask for what an answer lacks by itself, before anything is done that rests on its not being there",
		}.unmet(trail.SettleNeeded)
	case act != nil && silent(f):
		return open(line+gap+j.deed(act)+", without having read on", "the answer said nothing of what it left out: only a count from elsewhere could have told", act).unmet(trail.SettleNeeded)
	case act != nil:
		return finding{
			reaction: trail.Mishandled, presumed: true, calls: []*call{act}, line: line + gap + j.deed(act) + ", without having read on",
			head: wholeList(f), remedy: "read on as long as a page says that there is more, before anything is done that rests on the list",
		}.unmet(trail.SettleNeeded)
	case !silent(f) && j.toldAfter(&a, f.c) != nil && !itemsOf(f.c)[strings.ToLower(address(j.toldAfter(&a, f.c)))]:
		told := j.toldAfter(&a, f.c)
		return finding{
			reaction: trail.Mishandled, presumed: true, weak: true, calls: []*call{told}, line: line + gap + j.deed(told) + ", without having read on",
			head: wholeList(f), remedy: "read on as long as a page says that there is more, or say that it is not all",
		}.unmet(trail.SettleNeeded)
	case len(a.rests) == 0 && j.sameService(&a, f.c) != nil && !silent(f):
		n := j.sameService(&a, f.c)
		return finding{
			reaction: trail.Mishandled, presumed: true, weak: true, calls: []*call{n}, line: line + gap + j.deed(n) + ", without having read on",
			head: wholeList(f), remedy: "read on as long as a page says that there is more, before anything is done that rests on the list",
		}.unmet(trail.SettleNeeded)
	case len(a.rests) > 0:
		return open(line+gap+j.deed(a.rests[0])+", which the answer has whole", "it may be all that was looked for, or only what was there", a.rests[0])
	}
	return j.unsaid(f.c, line, "it did not read on").unmet(trail.SettleNeeded)
}

// samePage tells a read that asks for the same page of a list that says that it has
// more: that is not to read on.
func samePage(f firing, n *call) bool {
	return f.class() == faults.ShortList && !silent(f) && n.name() == f.c.name() && asksSame(n, f.c)
}

// readsRest tells a read that shows what an answer left out, or may.
func readsRest(f firing, n *call) bool {
	if !n.reads() || n.x.Service != f.c.x.Service || !n.arrived() || n.x.Status/100 != 2 {
		return false
	}
	if f.class() == faults.ShortList && (n.name() == f.c.name() && otherPart(n, f.c) || !single(n) && lastNoun(n) == lastNoun(f.c) && whole(n)) {
		return true
	}
	return showsAny(n, f.s.Left) || f.class() == faults.ShortAnswer && whole(n) && (asksSame(n, f.c) || len(f.s.Left) == 0 && n.sameMatter(f.c))
}

// asksForTheRest judges the same of an answer that had parts left out, which no next
// page has: it is asked for once more, or by itself.
func (j *judge) asksForTheRest(f firing) finding {
	found := j.readsOn(f)
	found.line = strings.Replace(found.line, "without having read on", "without having asked for the rest", 1)
	if strings.HasPrefix(found.remedy, "read on") {
		found.remedy = "ask for what is missing once more, or by itself, before anything rests on it, or say that it is not all"
	}
	return found
}

// sameService is the first act at the service that was asked, and not for another
// thing.
func (j *judge) sameService(a *aftermath, c *call) *call {
	for _, n := range a.others {
		if j.forAnother(n, c) {
			continue
		}
		if n.x.Service == c.x.Service || n.x.Method == "DELETE" || gone(n) {
			return n
		}
	}
	return nil
}

// drawn is the first act that rests on a list's being whole: not what was done
// with one item of it, which may be the one that was looked for.
func (j *judge) drawn(f firing, a *aftermath) *call {
	items := itemsOf(f.c)
	touched := map[string]bool{}
	for _, n := range a.rests {
		named := 0
		for id := range items {
			if n.read().marks[id] {
				touched[id] = true
				named++
			}
		}
		if named == 0 || len(touched) > 1 || len(items) == 1 {
			return n
		}
	}
	return nil
}

// itemsOf are the ids of the items in a list as it arrived.
func itemsOf(c *call) map[string]bool {
	ids := map[string]bool{}
	value, err := world.Decode(c.x.ReplyBody)
	if err != nil {
		return ids
	}
	var walk func(v any, depth int)
	walk = func(v any, depth int) {
		switch x := v.(type) {
		case map[string]any:
			for _, inner := range x {
				walk(inner, depth)
			}
		case []any:
			for _, each := range x {
				item, ok := each.(map[string]any)
				if !ok || depth > 0 {
					continue
				}
				for _, id := range idsOf(item) {
					ids[strings.ToLower(id)] = true
				}
			}
		}
	}
	walk(value, 0)
	return ids
}

// otherPart tells a read of the same list that asks for another part of it, or
// for more at once.
func otherPart(n, c *call) bool {
	return n.x.Query != c.x.Query || !bytes.Equal(n.x.Body, c.x.Body) || n.x.Path != c.x.Path || whole(n)
}

// silent tells that nothing in the answer told that something was missing.
func silent(f firing) bool {
	if faults.DeniesMore(f.s.Did) {
		return !counts(f.c, f.s.Did)
	}
	untold := f.judging().Untold
	return untold != nil && untold(f.s.Did)
}

// counts tells whether an answer that left out some of so many items still says
// how many there are.
func counts(c *call, did string) bool {
	_, all, ok := faults.LeftOut(did)
	if !ok {
		return false
	}
	value, err := world.Decode(c.x.ReplyBody)
	if err != nil {
		return false
	}
	for name, v := range value {
		if hasWord(name, "total", "count", "size", "results", "found") && same(v, all) {
			return true
		}
	}
	return false
}

// showsAny tells whether a reply has one of some ids.
func showsAny(c *call, ids []string) bool {
	for _, id := range ids {
		if id != "" && (bytes.Contains(c.x.ReplyBody, []byte(`"`+id+`"`)) || strings.Contains(c.x.Path, id)) {
			return true
		}
	}
	return false
}

// ofList says what a change does, of those that are about a list.
func ofList(list *call) func(*call) string {
	return func(c *call) string {
		if !c.about(list) {
			return ""
		}
		return c.verbatim()
	}
}

// startsOver judges what an agent did about a place in a list that was no
// longer known: it starts over from the first page.
func (j *judge) startsOver(f firing) finding {
	line := tag(f.c) + "its place in the list was gone" + clause(seen(f.c))
	again := 0
	var last *call
	for _, c := range j.followed(f.c) {
		switch {
		case c.name() != f.c.name():
			if c.changedThings() && !j.warns(c) && (c.about(f.c) || j.talks(c)) && last == nil {
				return finding{
					reaction: trail.Mishandled, presumed: true, weak: !c.about(f.c), calls: []*call{c}, line: line + gap + j.deed(c) + ", with half of the list",
					head: "took half of a list for the whole", remedy: "start over from the first page, or say that it is not all",
				}.unmet(trail.SettleNeeded)
			}
		case asksSame(c, f.c):
			if again++; again > 2 {
				return finding{
					reaction: trail.Mishandled, calls: []*call{c}, line: line + gap + tag(c) + "asked for it " + often(again) + " more",
					head: "kept asking " + often(again) + " at a place that is gone", remedy: "start over from the first page, without the old cursor",
				}
			}
		case j.firstPage(c, f.c):
			was, n := j.twice(f.c, ofList(f.c))
			if n == nil {
				was, n = j.anew(f.c)
			}
			if n != nil {
				return finding{
					reaction: trail.Mishandled, calls: []*call{c, was, n}, line: line + gap + tag(c) + "started over" + gap + j.deed(was) + gap + j.deed(n) + " once more",
					head: "dealt with the same items twice", remedy: "forget what was read before, or keep ids: the first page was read twice",
				}
			}
			return finding{reaction: trail.Handled, calls: []*call{c}, line: line + gap + tag(c) + "started over"}
		default:
			return finding{
				reaction: trail.Mishandled, calls: []*call{c}, line: line + gap + tag(c) + "went on from another place",
				head: "took two halves of a list for one", remedy: "start over from the first page: two halves of a list do not make one",
			}
		}
	}
	return j.unsaid(f.c, line, "it did not start over").unmet(trail.SettleNeeded)
}

// anew is the first effect that was had before a call, and once more after it.
func (j *judge) anew(c *call) (was, again *call) {
	done := map[string]*call{}
	for _, n := range j.before(c) {
		if _, ok := j.effect(n); ok && len(n.x.Body) > 2 {
			done[n.verbatim()] = n
		}
	}
	for _, n := range j.followed(c) {
		if was := done[n.verbatim()]; was != nil && n.changedThings() && was.intent() != n.intent() && !j.takenBack(was, nil) {
			return was, n
		}
	}
	return nil, nil
}

func asksSame(a, b *call) bool {
	return a.x.Query == b.x.Query && bytes.Equal(a.x.Body, b.x.Body) && a.x.Path == b.x.Path
}

// firstPage tells whether a read asks for a list from its start: as it was asked
// before, or at least with no field that the first read of it had not.
func (j *judge) firstPage(c, refused *call) bool {
	for _, was := range j.before(refused) {
		if was.name() == c.name() && was.x.Path == c.x.Path {
			if asksSame(was, c) {
				return true
			}
			return within(asks(c), asks(was))
		}
	}
	return len(asks(c)) < len(asks(refused)) && within(asks(c), asks(refused))
}

// within tells whether all that one call asks, another does as well, but for how
// much it wants at once.
func within(some, all map[string]string) bool {
	for name, value := range some {
		if was, ok := all[name]; !ok || was != value && !hasWord(name, "limit", "size", "per", "max", "count", "page") {
			return false
		}
	}
	return true
}

// asks are the fields with which a read says what it wants.
func asks(c *call) map[string]string {
	fields := map[string]string{}
	for pair := range strings.SplitSeq(c.x.Query, "&") {
		if name, value, _ := strings.Cut(pair, "="); name != "" {
			name, _ = url.QueryUnescape(name)
			fields[name] = value
		}
	}
	for name, value := range fieldsOf(c) {
		fields[name] = fmt.Sprint(value)
	}
	return fields
}

// countsOnce judges what an agent did about a list that moved while it read:
// what it saw twice it deals with once, and what it did not see is not gone.
func (j *judge) countsOnce(f firing) finding {
	line := tag(f.c) + did(f, "others", "the list moved")
	was, c := j.twice(f.c, (*call).verbatim)
	if c != nil {
		return finding{
			reaction: trail.Mishandled, calls: []*call{was, c}, head: "dealt with the same item twice", remedy: "keep the ids of what was dealt with, and deal with each once",
			line: story(step{text: line}, step{text: j.deed(was)}, step{text: j.deed(c) + " once more"}),
		}
	}
	shown := map[string]int{}
	var pages []*call
	for _, n := range append(j.before(f.c), append([]*call{f.c}, j.followed(f.c)...)...) {
		if n.reads() && n.name() == f.c.name() && n.arrived() {
			pages = append(pages, n)
			for id := range itemsOf(n) {
				shown[id]++
			}
		}
	}
	once := func(id string) bool {
		for _, n := range j.followed(f.c) {
			if n.changedThings() && (n.read().marks[id] || actsOn(n, id)) {
				return true
			}
		}
		return false
	}
	for id, n := range shown {
		if n > 1 && once(id) {
			return finding{reaction: trail.Handled, line: line + gap + id + " was shown twice, and dealt with once"}
		}
	}
	for _, n := range j.followed(f.c) {
		if whole(n) && n.name() != f.c.name() && n.sameMatter(f.c) && len(pages) > 1 && n.open > pages[len(pages)-1].open {
			return finding{reaction: trail.Handled, calls: []*call{n}, line: line + gap + tag(n) + "what the pages did not show was asked for by itself"}
		}
	}
	for _, n := range pages {
		if n.open > f.c.open && n != f.c && len(pages) > 1 && asksSame(n, pages[0]) {
			return finding{reaction: trail.Handled, calls: []*call{n}, line: line + gap + tag(n) + "read the list once more from its start, and did nothing twice"}
		}
	}
	return open(line+gap+"nothing was done twice", "nothing shows what it made of what it did not see")
}

// twice finds, among the changes that who made c has made after it, the first that
// is another's once more: by what says what a change does, "" for one that does
// not count. A retry is the same change.
func (j *judge) twice(c *call, does func(*call) string) (was, again *call) {
	done := map[string]*call{}
	for _, c := range j.since(c) {
		what := does(c)
		if !c.changedThings() || what == "" {
			continue
		}
		if was := done[what]; was != nil && was.intent() != c.intent() {
			return was, c
		}
		done[what] = c
	}
	return nil, nil
}
