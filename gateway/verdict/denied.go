package verdict

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// People may be told that something failed which the world has: its answer was
// lost, and the agent took no answer, or a refusal of its retry, for a failure.
//
//	#11 refunded ╳ lost   #14 again ▶ 400 already refunded   #17 message "refund FAILED"

// denial is the sentence by which a message says of a call that it came to
// nothing: it speaks of what the call was about, and does not say that nobody knows.
// What a message says of something else stands in other sentences. "": none does.
func (j *judge) denial(message, done *call) string {
	if !j.talks(message) || !j.warns(message) {
		return ""
	}
	about := slices.Clone(done.read().nouns)
	if e, ok := j.effect(done); ok {
		about = append(about, e.noun)
	}
	for _, said := range sentences().Split(proseOf(message), -1) {
		sentence := strings.ToLower(said)
		if !j.speech.negative.MatchString(sentence) || j.hedges(sentence) {
			continue
		}
		if mentionsAny(sentence, about) || meet(marksIn(nil, sentence), done.read().marks) {
			return strings.TrimSpace(said)
		}
	}
	return ""
}

// toldFailed words such a message.
func (j *judge) toldFailed(message, done *call) string {
	return "told people: " + quotedText(j.denial(message, done)) + ", though it was done"
}

// sentences part a text into what is said of one thing each.
var sentences = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n|[.;!?](?:\s|$)`) })

// deniedAfter is the message by which people were told that what an intent was for
// had failed, when its last attempt had been refused, though an earlier one did it;
// nil: there is none.
func (j *judge) deniedAfter(attempts []*call) (done, message *call) {
	last := attempts[len(attempts)-1]
	if last.x.Status/100 == 2 {
		return nil, nil
	}
	for _, c := range attempts {
		if c.changedThings() {
			done = c
			break
		}
	}
	if done == nil {
		return nil, nil
	}
	for _, n := range j.followed(last) {
		if n.changedThings() && j.denial(n, done) != "" {
			return done, n
		}
	}
	return done, nil
}

// Both rules that find it say the same of it.
const (
	saidFailed  = "said failed, though it was done"
	lookBefore  = "an error, or no answer, does not mean that it failed: look first, or say that it is not known"
	takeForDone = "a refusal that says that it is there already tells that it was done: say that, or look first"
)

// unheardOf keeps the calls that did something without the agent's having been
// told: until an attempt of the same intent is answered well.
func unheardOf(all []*call, c *call) []*call {
	if c.arrived() && c.x.Status/100 == 2 {
		return slices.DeleteFunc(all, func(d *call) bool { return d.intent() == c.intent() })
	}
	if c.changedThings() {
		return append(all, c)[max(0, len(all)+1-failedLately):]
	}
	return all
}

// deniedThere is, of the calls that did something unheard of, the one that a
// message says had failed, though nothing else of its operation did, and the agent
// had neither looked nor taken it back; nil: none.
func (j *judge) deniedThere(message *call, unheard, failed []*call) *call {
	for _, d := range unheard {
		others := slices.ContainsFunc(failed, func(f *call) bool { return f.agent == d.agent && f.name() == d.name() && f.intent() != d.intent() })
		if d.agent == message.agent && !others && !underWay(message, d) && j.denial(message, d) != "" && j.readBack(d, message.open).at == nil && !j.takenBack(d, message) {
			return d
		}
	}
	return nil
}

// mendOfDenial says what would have told that a call was done, by a message.
func (j *judge) mendOfDenial(done, message *call) string {
	for _, c := range j.intents[done.intent()] {
		if c.open < message.open && exists(c) {
			return takeForDone
		}
	}
	return lookBefore
}
