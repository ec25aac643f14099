package trail

import "slices"

// Proof is what of a run reached real services, and what shows that it was no more.
type Proof struct {
	Reads  int `json:"reads"`  // calls of class read that left
	Writes int `json:"writes"` // others that left
	Stayed
	Unknown int      `json:"unknown"` // calls that were to leave, and of which nothing more is known
	Lost    int      `json:"lost"`    // writes that left, or may have, and of which nobody knows what came
	LostAt  []uint64 `json:"lost_at,omitempty"`
	Failed  int      `json:"failed"` // calls that brought no reply
	Barred  int      `json:"barred"` // calls that the sender itself did not let leave
	Passes  int      `json:"passes"` // of writes that policy let leave
	Hosts   []string `json:"hosts"`
	// Agrees tells that the sender's own numbers of what left are those of the
	// record, without a gap.
	Agrees bool `json:"agrees"`
	// Strange are replies that were not as their service's contract says.
	Strange []Strange `json:"strange,omitempty"`

	Wrote    []uint64 `json:"wrote,omitempty"`    // the events by which a write left
	Doubtful []uint64 `json:"doubtful,omitempty"` // the events by which a call was to leave of which nothing more is known

	numbers map[uint64]bool
}

// Strange is a reply of a real service that breaks its contract.
type Strange struct {
	Seq  uint64 `json:"seq"`
	Host string `json:"host"`
	What string `json:"what"`
}

// Strangeness gives the replies of real services that break their contracts.
func Strangeness(events []Event) (all []Strange) {
	for i := range events {
		if x := events[i].Exchange; x != nil && events[i].Kind == Exchanged {
			for _, u := range x.Upstream {
				if u.Breaches != "" {
					all = append(all, Strange{events[i].Seq, u.Host, u.Breaches})
				}
			}
		}
	}
	return all
}

// Stayed is what became of writes that did not leave.
type Stayed struct {
	Refused  int `json:"refused_writes"` // by policy, or since what is read is recorded
	Held     int `json:"held_writes"`    // an approval was missing
	Faked    int `json:"faked"`          // the fake did them
	Captured int `json:"captured"`       // they were kept as drafts
	Struck   int `json:"struck"`         // a fault answered in place of the service
}

// Kept is how many there were.
func (t Stayed) Kept() int { return t.Refused + t.Held + t.Faked + t.Captured + t.Struck }

// Take counts an exchange, and what it led to.
func (p *Proof) Take(seq uint64, x *Exchange) {
	for i := range x.Upstream {
		u := &x.Upstream[i]
		if u.Pending() {
			continue
		}
		if u.Number == 0 {
			p.Barred++
			continue
		}
		if p.numbers == nil {
			p.numbers = map[uint64]bool{}
		}
		p.numbers[u.Number] = true
		if u.Reads() {
			p.Reads++
		} else {
			p.Writes++
			p.Wrote = append(p.Wrote, seq)
		}
		if u.Pass != "" {
			p.Passes++
		}
		if u.Failed() {
			p.Failed++
		}
		if !slices.Contains(p.Hosts, u.Host) {
			p.Hosts = append(p.Hosts, u.Host)
		}
	}
}

// LostWrites are the events of writes to real services of which nobody knows what
// came: they brought no reply, or nothing more is known than that they were to leave.
func LostWrites(events []Event) (lost []uint64) {
	open := map[uint64]bool{}
	for i := range events {
		x := events[i].Exchange
		if x == nil {
			continue
		}
		delete(open, x.Reserved)
		for j := range x.Upstream {
			switch u := &x.Upstream[j]; {
			case u.Unknown:
				lost = append(lost, events[i].Seq)
			case u.Pending() && !u.Reads():
				open[events[i].Seq] = true
			}
		}
	}
	for seq := range open {
		lost = append(lost, seq)
	}
	slices.Sort(lost)
	return lost
}

// Close works out whether sender and record agree.
func (p *Proof) Close() {
	slices.Sort(p.Hosts)
	slices.Sort(p.Doubtful)
	p.Agrees = len(p.numbers) == p.Reads+p.Writes
	for n := range p.numbers {
		p.Agrees = p.Agrees && n <= uint64(len(p.numbers))
	}
}

// LiveFault is what came of a rule where real services are called.
type LiveFault struct {
	Rule     string       `json:"rule"`
	Fault    string       `json:"fault"`
	Approved []Speaker    `json:"approved,omitempty"` // who let it strike, in order
	Struck   []LiveStrike `json:"struck"`
	Waited   int          `json:"waited,omitempty"` // calls at which it did not strike, since no person had approved it
}

// LiveStrike is one strike where a real service is called.
type LiveStrike struct {
	Event uint64 `json:"event"`
	Call  string `json:"call"` // service and operation
	Sent  bool   `json:"sent"` // the call had left
	Did   string `json:"did,omitempty"`
}
