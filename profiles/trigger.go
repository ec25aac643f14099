package profiles

import (
	"fmt"

	"parity/fakes/expression"
	"parity/faults"
)

// trigger reads which intents a rule hits. A trigger that can never pull is a
// mistake.
func (b *binder) trigger(it *item) (faults.Trigger, *expression.Path) {
	if !it.ok() {
		return faults.Trigger{}, nil
	}
	t := faults.Trigger{
		Nth: it.get("nth").count(), First: it.get("first").count(), Every: it.get("every").count(),
		Skip: it.get("skip").count(), Max: it.get("max").count(), Tries: it.get("tries").count(),
	}
	if c := it.get("chance"); c.ok() {
		share := scalar[float64](c)
		t.Chance = &share
		if share == 0 {
			b.warn(c.place, "give it a chance, or switch the rule off with enabled: false", "a chance of 0%% never fires")
		}
	}
	if between := it.get("between"); between.ok() {
		t.Between = b.patterns(between, operations)
		if len(between.list) != 2 {
			b.wrong(between.place, "such as "+between.key.example, "trigger.between wants two operations, and has %d", len(between.list))
		}
	}
	if n := len(t.Between); n == 2 && t.Between[0].String() == t.Between[1].String() {
		b.warn(it.get("between").place, "name the call that ends it", "trigger.between begins and ends with the same call, and so never ends")
	}
	b.window(it.get("window"), &t)
	if why := never(t); why != "" {
		b.wrong(it.place, "", "a trigger that can never fire: %s", why)
	}
	if len(it.fields) == 0 {
		b.warn(it.place, "remove it, or say which intents, such as {nth: 2}", "an empty trigger hits every intent")
	}
	return t, b.path(it.get("per"))
}

func (b *binder) window(it *item, t *faults.Trigger) {
	if !it.ok() {
		return
	}
	t.From, t.To = it.get("from").span(), it.get("to").span()
	if to := it.get("to"); to.ok() && t.To <= t.From {
		b.wrong(to.place, "such as {from: 10m, to: 25m}", "trigger.window ends at %v and begins at %v", t.To, t.From)
	}
	if len(it.fields) == 0 {
		b.wrong(it.place, "such as {from: 10m, to: 25m}", "trigger.window is empty")
	}
}

// never says why no number of an intent satisfies all that a trigger asks.
func never(t faults.Trigger) string {
	switch {
	case t.Nth > 0 && t.First > 0 && t.Nth > t.First:
		return fmt.Sprintf("number %d is not among the first %d; say nth or first", t.Nth, t.First)
	case t.Nth > 0 && t.Every > 0 && t.Nth%t.Every != 0:
		return fmt.Sprintf("number %d is no multiple of %d; say nth or every", t.Nth, t.Every)
	case t.First > 0 && t.Every > t.First:
		return fmt.Sprintf("no multiple of %d is among the first %d; say first or every", t.Every, t.First)
	}
	return ""
}
