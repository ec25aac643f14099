package verdict

import (
	"fmt"
	"net/http"

	"parity/faults"
)

// hid says that an agent never saw a fault.
func hid(tries int) string {
	return fmt.Sprintf("the SDK's own retry hid it from the agent; trigger: {tries: %d} reaches past it", tries)
}

// hidden counts the intents in which the last failure that a rule caused was
// followed by a retry of the SDK's own, which the rule let pass: their agent
// has not seen it. tries is how many attempts would have to fail for that.
func (j *judge) hidden(firings []firing) (intents, tries int) {
	for _, group := range byIntent(firings) {
		last := group[len(group)-1]
		if last.c.x.Whole || last.judging().Outlasts {
			continue
		}
		next := j.next(last.c)
		if next == nil || next.x.Intent.Key != last.c.x.Intent.Key || !ownRetry(last.c, next) || agents(last.c, next) {
			continue
		}
		intents++
		tries = max(tries, faults.SDKTries, next.x.Intent.Attempt+1)
	}
	return intents, tries
}

// agents tells a retry that no SDK of Stripe's makes: of what was refused for
// good, or by a limit, or of a success that it could not read.
func agents(failed, next *call) bool {
	if next.x.Intent.SDKRetry > 0 || failed.x.Wire.NoHead || failed.x.Wire.HeadCut {
		return false
	}
	if should, said := faults.ShouldRetry(failed.x.ReplyHeader); said {
		return !should
	}
	status := failed.x.Status
	return status < http.StatusInternalServerError && status != http.StatusConflict && !failed.x.Wire.Short
}
