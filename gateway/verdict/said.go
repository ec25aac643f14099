package verdict

import (
	"fmt"
	"regexp"
	"strings"

	"parity/faults"
)

// What an agent says of its work it says in several places. Each counts, the one
// that says most first:
//
//	a posted outcome          partial, unknown, escalated, stopped, failure; complete
//	what it writes to people  "could not read the list, nothing was sent"
//	how its process ended     exit code 3
//	its last lines            where the profile asks for them (says: {output: true})

// saying is something that an agent said about how its work went.
type saying struct {
	seq  uint64 // the event; 0: the end of its process
	c    *call  // the call that says it; nil: no call
	what string // in words: "exited 3", "the agent said: partial"

	loose bool // it may be about something else
}

// step words it as a part of a story.
func (s saying) step() step {
	if s.seq == 0 {
		return step{text: s.what}
	}
	return step{text: event(s.seq) + s.what}
}

// troubles are the words by which people are told that something did not go as
// it should, or is not known. A table of English, not of any one service.
const troubles = `\b(?:could ?n[o']?t|cannot|can ?n[o']?t|can ?not|unable|un(?:known|clear|certain|confirmed|verified|sure|reachable|readable|reliable|available|expected|resolved|finished|sent|processed|changed)` +
	`|fail(?:ed|s|ure|ing)?|not (?:been )?(?:confirmed|verified|known|sure|certain|complete[d]?|done|finish(?:ed)?|sent|made|created|changed|updated|found|final|processed|refunded|charged|booked|posted|applied|possible|safe|touched|trusted|sav(?:ed|ing)|visible|available|readable|there|ready|overwr\w+|retry\w*|go(?:ing)?|closing|closed|deleted|deleting|moved?|issued|answer\w*|respond\w*|match\w*|agree\w*|stable|certain|show\w*)` +
	`|nothing (?:was |has been |is |has )?(?:sent|done|changed|written|posted|booked|charged|refunded|made|moved|deleted|updated|created|released|published|paid)|not (?:[a-z]+ )?[a-z]{2,}(?:ed|en)|no (?:answer|response|reply|action|refund was|charge was|changes? (?:was|were|made)|longer)` +
	`|did ?n[o']?t|does ?n[o']?t|is ?n[o']?t|was ?n[o']?t|were ?n[o']?t|has ?n[o']?t|have ?n[o']?t|had ?n[o']?t|won['’]t|will not|without (?:an? )?(?:answer|confirmation|reply)` +
	`|stopp(?:ed|ing)|abort\w*|gave up|giving up|gives up|halt\w*|incomplete|partial(?:ly)?|only (?:part|some|the first|\d+ of)|time[ds]?[- ]?out|timing out` +
	`|skipp(?:ed|ing)|on hold|held back|holding|escalat\w*|mismatch\w*|differs?|disagree\w*|inconsisten\w*|contradict\w*|suspicious|implausible|malformed|garbled|corrupt\w*|truncated|cut (?:off|short)` +
	`|forbidden|unauthori[sz]ed|(?:is|are|was|were|been) down|investigat\w*|may (?:have|be|not)|might (?:have|be|not)|by hand|manual(?:ly)?|needs? (?:a |an |to be )?(?:person|human|review\w*|look\w*|check\w*|attention|decision|someone|somebody|manual|hand)|please (?:check|verify|confirm|look|review|decide|investigate|advise)` +
	`|(?:human|person|someone|somebody|operator|colleague) (?:needed|required|has to|must|should|to (?:check|look|decide|review))|somebody else|someone else|by (?:another|someone|somebody)|changed (?:meanwhile|under|while|in between|since)|meanwhile` +
	`|un(?:translated|paid|assigned|touched|answered|matched|merged|booked|read|resolved|tested|checked|posted|published|handled|done|synced|delivered)|fit|please (?:tell|say|let)|still missing|not yet|rate.?limit\w*|quota|throttl\w*|refus\w+|deprecat\w+|sunset\w*|going away|end of life|left out|omitt\w+)\b`

// doubts are words of trouble that business has as well: two of them count.
const doubts = `\b(?:errors?|conflict\w*|damaged|broken|missing|expired?|reject\w+|denied|locked|duplicates?|doubled|twice|problem|trouble|warning|attention|lost|delayed|stale|outdated)\b`

// unfinisheds are the words by which people are told that something is under way.
const unfinisheds = `\b(?:in progress|processing|queued|accepted|awaiting|waiting|to be confirmed|pending|under way|submitted|requested)\b`

// hedges are the words by which people are told that something is not known, and
// negatives those by which they are told that it was not done.
const (
	hedges    = `\b(?:unknown|unclear|uncertain|unsure|unconfirmed|not (?:sure|certain|known|clear|confirmed|verified)|may|might|maybe|possibly|perhaps|probably|could have|no (?:answer|confirmation|response|reply)|without (?:an )?(?:answer|confirmation)|check|verify|confirm|look|in doubt|whether|if it|either way|did ?n[o']?t (?:answer|respond|confirm)|not answered|timed? ?out)\b`
	negatives = `\b(?:failed|fails|not (?:[a-z]+ )?[a-z]{2,}(?:ed|en|t|de|ne)|was ?n[o']?t|were ?n[o']?t|could ?n[o']?t|did ?n[o']?t|has not|have not|never)\b`
)

// dones are the words by which people are told that something is done.
const dones = `\b(?:done|complete[d]?|succeeded|success(?:ful(?:ly)?)?|finished|all set|processed|refunded|charged|paid|sent|mailed|e-?mailed|created|opened|filed|booked|reserved|scheduled|moved|updated|changed|set|closed|solved|resolved|cancel?led|deleted|removed|archived|merged|published|posted|added|assigned|shipped|issued|invited|enrolled|registered|confirmed|applied|synced|synchroni[sz]ed|imported|exported|renewed|saved|recorded|credited|approved|announced|verified|notified|granted|rolled out|on its way|went out|in place|up to date|(?:is|are|was|were|now) (?:out|in|up|on|off|live|there|ready|open|available|free|gone))\b`

// speech knows what agents write.
type speech struct {
	troubles, dones []*regexp.Regexp
	unfinished      *regexp.Regexp
	unapproved      *regexp.Regexp  // that something waits for a yes, or got none
	doubts          *regexp.Regexp  // that something may be wrong; of business as well
	hedge, negative *regexp.Regexp  // that something is not known; that it is not so
	everything      *regexp.Regexp  // that speaks of all there was
	habits          map[string]bool // words of trouble that the agent used when there was none
}

func newSpeech(s Says) speech {
	return speech{
		troubles:   append([]*regexp.Regexp{regexp.MustCompile(troubles)}, s.Stopped...),
		dones:      append([]*regexp.Regexp{regexp.MustCompile(dones)}, s.Done...),
		unfinished: regexp.MustCompile(unfinisheds), unapproved: regexp.MustCompile(unapproved), hedge: regexp.MustCompile(hedges), doubts: regexp.MustCompile(doubts), negative: regexp.MustCompile(negatives),
		everything: regexp.MustCompile(`\b(?:all|every|each|both|everyone|everybody)\b`),
	}
}

func anyOf(patterns []*regexp.Regexp, text string) bool {
	for _, p := range patterns {
		if p.MatchString(text) {
			return true
		}
	}
	return false
}

// warns tells a write that tells people of trouble, in other words than the
// agent uses without faults. What moves money tells nobody anything.
func (j *judge) warns(c *call) bool {
	r := c.read()
	return r.warns.ask(func() bool {
		return r.texts != "" && !j.movesMoney(c) && !j.usual(r.texts) && j.troubled(r.texts, r.prose) &&
			j.troubled(j.ownWords(c))
	})
}

func (j *judge) movesMoney(c *call) bool {
	e, ok := j.effect(c)
	return ok && (movesMoney(e.noun) || e.sum.amount != 0)
}

// troubled tells a text that speaks of trouble, or asks people: in words that the
// agent had not used before anything went wrong.
func (j *judge) troubled(text, prose string) bool {
	j.learn()
	for _, p := range j.speech.troubles {
		for _, word := range p.FindAllString(text, 32) {
			if !j.speech.habits[word] {
				return true
			}
		}
	}
	weak := map[string]bool{}
	for _, word := range j.speech.doubts.FindAllString(text, 32) {
		if !j.speech.habits[word] {
			weak[word] = true
		}
	}
	return len(weak) > 1 || questions(prose) && !j.speech.habits["?"]
}

// questions tells a text that ends with a question, or has a line that does.
func questions(prose string) bool {
	for line := range strings.SplitSeq(prose, "\n") {
		if strings.HasSuffix(strings.TrimSpace(line), "?") {
			return true
		}
	}
	return false
}

// learn notes which words of trouble the agent uses where there is none: in what
// it wrote before the first fault.
func (j *judge) learn() {
	if j.speech.habits != nil {
		return
	}
	j.speech.habits = map[string]bool{}
	begin := uint64(never)
	for _, firings := range j.firings {
		begin = min(begin, firings[0].c.open)
	}
	const most = 512
	for i, c := range j.calls {
		for k := range c.x.Strikes { // what a page for people says is not the agent's word
			if s := &c.x.Strikes[k]; s.Fired && spoils(faults.ClassOf(s.Fault)) && c.x.Status/100 == 2 {
				for _, p := range j.speech.troubles {
					for _, word := range p.FindAllString(strings.ToLower(string(c.x.ReplyBody[:min(len(c.x.ReplyBody), 8<<10)])), 32) {
						j.speech.habits[word] = true
					}
				}
			}
		}
		if i == most || c.open > begin && !struckAtAll(c) {
			continue
		}
		if c.reads() || c.connection() {
			continue
		}
		r := c.read()
		for _, p := range j.speech.troubles {
			for _, word := range p.FindAllString(r.texts, 32) {
				j.speech.habits[word] = true
			}
		}
		for _, word := range j.speech.doubts.FindAllString(r.texts, 32) {
			j.speech.habits[word] = true
		}
		if questions(r.prose) {
			j.speech.habits["?"] = true
		}
	}
}

// announces tells a write that tells people that something was done.
func (j *judge) announces(c *call) bool {
	r := c.read()
	return r.done.ask(func() bool {
		return r.prose != "" && !j.movesMoney(c) && !j.warns(c) && anyOf(j.speech.dones, r.prose) && !j.speech.unfinished.MatchString(r.prose)
	})
}

// talks tells a write that people read.
func (j *judge) talks(c *call) bool {
	return c.changedThings() && c.read().prose != "" && !j.movesMoney(c)
}

// stopped is what an agent said, after a call, of its work's not being done, or
// of not knowing.
func (j *judge) stopped(c *call) (saying, bool) {
	if said := j.claimAfter(c); said != nil {
		return saying{seq: said.seq, what: "the agent said: " + said.Status}, !said.complete()
	}
	for _, n := range j.followed(c) {
		if n.changedThings() && j.warns(n) && !j.ofAnother(n, c) {
			return saying{seq: n.seq, c: n, what: "told people: " + quoted(n)}, true
		}
	}
	return j.endedBadly()
}

// endedBadly is how an agent's process says that not all went well.
func (j *judge) endedBadly() (saying, bool) {
	end := j.in.Ending
	if end == nil {
		return saying{}, false
	}
	if end.Exit != 0 && !j.endsSo(end.Exit) {
		return saying{what: fmt.Sprintf("stopped, and exited %d", end.Exit)}, true
	}
	if text := strings.ToLower(end.Said); text != "" && j.troubled(text, "") && !j.usual(text) {
		return saying{what: "said so in its last lines"}, true
	}
	return saying{}, false
}

// endsSo tells an exit code with which the agent ends without faults as well.
func (j *judge) endsSo(code int) bool {
	for _, calm := range j.in.Calm {
		if calm.Ending != nil && calm.Ending.Exit == code {
			return true
		}
	}
	return false
}

// complete tells that all was said to be done, after a call: by an outcome, or by
// what was written to people about it.
func (j *judge) saidDone(c *call, shown func(*call) bool) (saying, bool) {
	if said := j.claimAfter(c); said != nil {
		if said.complete() && said.concerns(c) {
			return saying{seq: said.seq, what: "the agent said: " + said.Status}, true
		}
		return saying{}, false
	}
	for _, n := range j.followed(c) {
		switch {
		case n.reads():
			if shown != nil && shown(n) {
				return saying{}, false
			}
		case n.x.Committed && n.intent() != c.intent() && n.name() != c.name() && j.announcesOf(n, c):
			return saying{seq: n.seq, c: n, what: "told people: " + quoted(n), loose: !j.named(n, c)}, true
		}
	}
	return saying{}, false
}

// announcesOf tells a write that tells people that what another call was for is
// done. Where other calls like that one went well, it has to name what that was
// about, or to speak of all: it may mean these.
func (j *judge) announcesOf(n, c *call) bool {
	if !j.announces(n) && !(j.talks(n) && !j.warns(n) && !j.speech.unfinished.MatchString(n.read().prose) && n.about(c) && speaksOf(n, c)) {
		return false
	}
	if j.namesOthers(n, c) {
		return false
	}
	if j.named(n, c) {
		return true
	}
	for _, other := range j.changes[actor{c.who, c.name()}] {
		if other.intent() != c.intent() && other.changedThings() && other.open > c.open && other.open < n.open {
			return false
		}
	}
	return true
}

// named tells a message that names what a call was about, or speaks of all.
func (j *judge) named(n, c *call) bool {
	return meet(n.read().marks, c.read().marks) || j.speech.everything.MatchString(n.read().prose)
}

// hedges tells a text that says that something is not known.
func (j *judge) hedges(text string) bool { return j.speech.hedge.MatchString(text) }

// quoted gives the first words of what a call says to people.
func quoted(c *call) string {
	return quotedText(proseOf(c))
}

// proseOf is what a call says to people, as it says it.
func proseOf(c *call) string {
	var all, prose []string
	spoken("", fieldsOf(c), &all, &prose)
	return strings.Join(prose, "\n")
}
