package verdict

import (
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
)

// lets judges what an agent did once it had lost its hold on a record: no more
// writes to it until it has a new one.
func (j *judge) lets(f firing) finding {
	line := tag(f.c) + "the hold on the record was lost" + clause(seen(f.c))
	looked, taken := false, false
	for _, c := range j.followed(f.c) {
		if c.reads() || c.x.Service != f.c.x.Service {
			looked = looked || c.reads() && (c.x.Path == f.c.x.Path || c.sameMatter(f.c)) && c.arrived() && c.x.Status/100 == 2
			continue
		}
		if looked && c.x.Status/100 == 2 {
			return finding{reaction: trail.Handled, calls: []*call{c}, line: line + gap + tag(c) + "wrote, once it had read the record again"}
		}
		if j.replaces(c, f.c) {
			return finding{
				reaction: trail.Mishandled, calls: []*call{c}, line: line + gap + j.deed(c) + ", in place of the one that it could not write",
				head: "made a second record, in place of one it could not write", remedy: "take a new lease, or stop: a second record is not the first",
			}
		}
		if writesSame(c, f.c) {
			return finding{
				reaction: trail.Mishandled, calls: []*call{c}, line: line + gap + j.deed(c) + ", by another operation",
				head: "wrote on after its lease was lost", remedy: "take a new lease, and read the record again, before writing to it by whichever operation",
			}
		}
		if c.x.Path != f.c.x.Path || c.name() != f.c.name() {
			if c.about(f.c) || c.sameMatter(f.c) {
				return finding{reaction: trail.Handled, calls: []*call{c}, line: line + gap + tag(c) + "something else was done first"}
			}
			taken = true
			continue
		}
		if taken && c.x.Status/100 == 2 {
			return finding{reaction: trail.Handled, calls: []*call{c}, line: line + gap + tag(c) + "wrote, once something else was done first"}
		}
		return finding{
			reaction: trail.Mishandled, calls: []*call{c}, line: line + gap + tag(c) + "wrote to it again" + clause(seen(c)),
			head: "wrote on after its lease was lost", remedy: "take a new lease, and read the record again, before writing to it",
		}
	}
	if said, ok := j.saidDone(f.c, nil); ok {
		return announced(finding{}, line, said)
	}
	return open(line+gap+"no more writes to it", "nothing shows what it made of the refusal")
}

// replaces tells a call that makes another record like the one that it was
// refused to write.
func (j *judge) replaces(c, refused *call) bool {
	made, ok := principal(c, j.written(c))
	if !ok || !single(refused) {
		return false
	}
	for _, was := range j.before(refused) {
		if was.changedThings() && j.equals(was, c) {
			return true
		}
		if was.reads() && was.x.Path == refused.x.Path && alike(asMap(decoded(was.x.ReplyBody)), made.value) {
			return true
		}
	}
	return false
}

// writesSame tells a call that writes, to the same record and by another
// operation, what one that was refused was to write.
func writesSame(c, refused *call) bool {
	if c.name() == refused.name() || !c.changedThings() || !meet(c.read().marks, namesIn(refused.x.Path)) {
		return false
	}
	its := scalars(asMap(decoded(refused.x.Body)), nil)
	n := 0
	for _, value := range its {
		if len(value) > 1 && strings.Contains(string(c.x.Body), value) {
			n++
		}
	}
	return n > 1 && 2*n >= len(its)
}

func decoded(body []byte) any {
	value, err := world.Decode(body)
	if err != nil {
		return nil
	}
	return value
}
