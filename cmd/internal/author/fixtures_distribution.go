package author

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"parity/fakes/fixture"
)

// printDistribution prints how values are spread: what is missing, how long what
// people wrote is, how many have something attached, and what is older than the
// service.
func (l *linted) printDistribution(w io.Writer) error {
	for i, table := range []func(io.Writer){l.missing, l.texts, l.lists, l.early} {
		var lines bytes.Buffer
		columns := tabwriter.NewWriter(&lines, 0, 0, 2, ' ', 0)
		table(columns)
		if err := columns.Flush(); err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		trimmed(w, lines.String())
	}
	return l.printTags(w)
}

// mostMissing bounds how many fields of a collection are named.
const mostMissing = 8

// missing lists of each collection the fields that only some records have, what
// most have first: that is where code takes them for given.
func (l *linted) missing(w io.Writer) {
	fmt.Fprintln(w, "COLLECTION\tRECORDS\tWITHOUT A VALUE")
	for _, c := range l.Collections {
		some := slices.DeleteFunc(slices.Clone(c.Fields), func(f fixture.Field) bool { return f.Filled == 1 })
		slices.SortStableFunc(some, func(a, b fixture.Field) int { return cmp.Compare(b.Filled, a.Filled) })
		var named []string
		for _, f := range some[:min(len(some), mostMissing)] {
			named = append(named, fmt.Sprintf("%s %.0f%%", f.Name, 100*(1-f.Filled)))
		}
		if len(some) == 0 {
			continue
		}
		if more := len(some) - mostMissing; more > 0 {
			named = append(named, fmt.Sprintf("and %d more", more))
		}
		fmt.Fprintf(w, "%s\t%d\t%s\n", c.Name, c.Records, strings.Join(named, ", "))
	}
}

// texts lists the fields in which people write.
func (l *linted) texts(w io.Writer) {
	fmt.Fprintln(w, "TEXT\tEMPTY\tDISTINCT\tUP TO 3 WORDS\tLONG\tSHORTEST\tMEDIAN\tLONGEST")
	l.each(func(at string, c fixture.Collection, f fixture.Field) {
		if f.Short > 0 || f.Long > 0 {
			fmt.Fprintf(w, "%s\t%.0f%%\t%d\t%d\t%d\t%d\t%d\t%d\n", at, 100*(1-f.Filled), f.Distinct, f.Short, f.Long, f.Shortest, f.Median, f.Longest)
		}
	})
}

// lists lists the fields of which some records have nothing, or several. A text
// in pieces is none.
func (l *linted) lists(w io.Writer) {
	fmt.Fprintln(w, "LIST\tNONE\tONE\tSEVERAL")
	l.each(func(at string, c fixture.Collection, f fixture.Field) {
		if slices.Contains(f.Types, "array") && f.Longest == 0 && (f.Filled < 1 || f.Several > 0) {
			has := int(f.Filled*float64(c.Records) + 0.5)
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", at, c.Records-has, has-f.Several, f.Several)
		}
	})
}

// early lists the dates from before a service went into use.
func (l *linted) early(w io.Writer) {
	fmt.Fprintln(w, "DATE\tOLDEST\tNEWEST\tBEFORE THE LAUNCH")
	l.each(func(at string, c fixture.Collection, f fixture.Field) {
		if service, _, _ := strings.Cut(c.Name, "."); f.Early > 0 {
			fmt.Fprintf(w, "%s\t%s\t%s\t%d (%s)\n", at, f.Oldest, f.Newest, f.Early, l.Launched[service])
		}
	})
}

// each goes through all fields, under the names that they have in the whole.
func (l *linted) each(do func(at string, c fixture.Collection, f fixture.Field)) {
	for _, c := range l.Collections {
		for _, f := range c.Fields {
			do(c.Name+"."+f.Name, c, f)
		}
	}
}
