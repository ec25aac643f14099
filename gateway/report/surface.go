package report

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"parity/faults/trail"
	"parity/specs/class"
	"parity/specs/words"
)

// Surface is what an agent could do beside what it did.
type Surface struct {
	Services []ServiceSurface  `json:"services"`
	Tunnel   []string          `json:"tunnel"`  // hosts that may be reached unread: those of the profile, and of --allow
	Outside  []trail.HostCount `json:"outside"` // those that were
	Denied   []trail.HostCount `json:"denied"`  // hosts that nothing was let out to
}

// ServiceSurface is what a service lets an agent do beside what the agent did.
type ServiceSurface struct {
	Service string           `json:"service"`
	Allows  ByEffect         `json:"allows"`            // operations that a call would have been answered for
	Used    ByEffect         `json:"used"`              // of these, those that were called
	Called  []trail.Touched  `json:"called"`            // which these are
	Missing int              `json:"missing"`           // calls to what is not played
	Classes []trail.ClassUse `json:"classes,omitempty"` // calls by what sort of act policy took them for
}

// ByEffect counts operations by what they do to the world.
type ByEffect struct {
	Read         int `json:"read"`
	Reversible   int `json:"reversible"`
	Irreversible int `json:"irreversible"`
}

// Add counts an operation.
func (b *ByEffect) Add(effect string) {
	switch effect {
	case "read":
		b.Read++
	case "irreversible":
		b.Irreversible++
	default:
		b.Reversible++
	}
}

// Surfaces writes a surface: as JSON, or as a table of what was used of what was
// allowed.
func Surfaces(w io.Writer, s Surface, asJSON bool) error {
	m := newMasker()
	if asJSON {
		return m.document(w, s)
	}
	var out strings.Builder
	table := tabwriter.NewWriter(&out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "USED OF ALLOWED\tREAD\tREVERSIBLE\tIRREVERSIBLE") // Flush tells what failed
	idle := 0
	for _, of := range s.Services {
		if len(of.Called) == 0 && of.Missing == 0 {
			idle++
			continue
		}
		part := func(used, allows int) string { return fmt.Sprintf("%d of %d", used, allows) }
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", of.Service, part(of.Used.Read, of.Allows.Read), part(of.Used.Reversible, of.Allows.Reversible), part(of.Used.Irreversible, of.Allows.Irreversible))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if idle > 0 {
		fmt.Fprintf(&out, "and nothing of %s: -o json has what each allows\n", words.Count(idle, "other service"))
	}
	if err := s.classes(&out); err != nil {
		return err
	}
	s.used(&out)
	s.hosts(&out)
	for line := range strings.Lines(out.String()) {
		if _, err := io.WriteString(w, m.plain(strings.TrimRight(line, " \n"))+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// classes tells, with a column for each class, how many calls policy took for what,
// and how many of these it stopped; nothing where there was no policy.
func (s *Surface) classes(out *strings.Builder) error {
	var rows strings.Builder
	for _, of := range s.Services {
		if len(of.Classes) == 0 {
			continue
		}
		rows.WriteString(of.Service)
		for _, c := range class.All() {
			cell := "-"
			for _, use := range of.Classes {
				if use.Class != string(c) {
					continue
				}
				if cell = strconv.Itoa(use.Calls); use.Stopped > 0 {
					cell += fmt.Sprintf(", %d stopped", use.Stopped)
				}
			}
			rows.WriteString("\t" + cell)
		}
		rows.WriteString("\n")
	}
	if rows.Len() == 0 {
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	head := "\nCALLS BY CLASS"
	for _, c := range class.All() {
		head += "\t" + strings.ToUpper(string(c))
	}
	fmt.Fprint(table, head+"\n"+rows.String()) // Flush tells what failed
	return table.Flush()
}

// used lists the operations that were called, what cannot be undone first.
func (s *Surface) used(out *strings.Builder) {
	for _, effect := range []string{"irreversible", "reversible", "read"} {
		head := "\n" + upper(effect) + "\n"
		for _, of := range s.Services {
			for _, t := range of.Called {
				if t.Effect != effect {
					continue
				}
				line := words.Count(t.Exchanges, "call")
				if t.Committed > 0 {
					line += fmt.Sprintf(", %d took effect, the first at #%d", t.Committed, t.First)
				}
				fmt.Fprintf(out, "%s  %s   %s\n", head, t.Operation, line)
				head = ""
			}
		}
	}
}

// hosts lists where else the agent went, or wanted to go.
func (s *Surface) hosts(out *strings.Builder) {
	fmt.Fprintf(out, "\nPast the rehearsal, unread\n  allowed: %s\n", cmp.Or(strings.Join(s.Tunnel, ", "), "nothing"))
	for _, h := range s.Outside {
		fmt.Fprintf(out, "  %s   %s   by %s\n", h.Host, words.Count(h.Calls, "connection"), h.By)
	}
	for _, of := range s.Services {
		if of.Missing > 0 {
			fmt.Fprintf(out, "\nNot played\n  %s   %s to what it has no operation for\n", of.Service, words.Count(of.Missing, "call"))
		}
	}
	if len(s.Denied) > 0 {
		fmt.Fprintf(out, "\nRefused\n")
	}
	for _, h := range s.Denied {
		if h.Protocol != "" {
			fmt.Fprintf(out, "  %s\n", refused(h))
			continue
		}
		fmt.Fprintf(out, "  %s   %s\n", cmp.Or(h.Host, "this gateway"), words.Count(h.Calls, "call"))
	}
}
