package profiles

// connection refuses what a rule about connections cannot have: they come
// before any request is known.
func (b *binder) connection(d drafted, it *item) {
	calls := it.get("call").list
	for i, p := range d.Calls {
		if !p.Whole() && len(calls) == len(d.Calls) { // what is no pattern was said already
			b.wrong(calls[i].place, "such as call: "+wholeOf(p.Service()), "%s is about connections, which are for all operations of a service, not for %s", d.fault.Name, shorten(p.String()))
		}
	}
	const early = "a connection comes before any request or result is known"
	if when := it.get("when"); when.ok() {
		b.wrong(when.place, "a trigger can say which connections: nth, first, every, chance, max, window", "%s has no when: %s", d.fault.Name, early)
	}
	trigger := it.get("trigger")
	if per := trigger.get("per"); per.ok() {
		b.wrong(per.place, "connections are counted by service", "%s has no per: %s", d.fault.Name, early)
	}
	if tries := trigger.get("tries"); tries.ok() {
		b.wrong(tries.place, "each connection counts by itself: use first, such as first: 3", "%s has no tries: a connection is no attempt of an intent", d.fault.Name)
	}
}

func wholeOf(service string) string {
	if service == "" {
		return "stripe *"
	}
	return service + " *"
}
