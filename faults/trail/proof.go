package trail

import "slices"

// Proof is what of a run reached real services, and what shows that it was no more.
type Proof struct {
	Reads    int      `json:"reads"`          // calls of class read that left
	Writes   int      `json:"writes"`         // others that left
	Refused  int      `json:"refused_writes"` // writes that a mode refused
	Faked    int      `json:"faked"`          // writes that the fake did
	Captured int      `json:"captured"`       // writes that were kept as drafts
	Unknown  int      `json:"unknown"`        // calls that were to leave, and of which nothing more is known
	Failed   int      `json:"failed"`         // calls that brought no reply
	Barred   int      `json:"barred"`         // calls that the sender itself did not let leave
	Passes   int      `json:"passes"`         // of writes that policy let leave
	Hosts    []string `json:"hosts"`
	// Agrees tells that the sender's own numbers of what left are those of the
	// record, without a gap.
	Agrees bool `json:"agrees"`

	numbers map[uint64]bool
}

// Take counts an exchange, and what it led to.
func (p *Proof) Take(x *Exchange) {
	for i := range x.Upstream {
		u := &x.Upstream[i]
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

// Close works out whether sender and record agree.
func (p *Proof) Close() {
	slices.Sort(p.Hosts)
	p.Agrees = len(p.numbers) == p.Reads+p.Writes
	for n := range p.numbers {
		p.Agrees = p.Agrees && n <= uint64(len(p.numbers))
	}
}
