package inspect

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"parity/cmd/internal/output"
	"parity/gateway/client"
	"parity/gateway/journal"
)

// PrintRuns writes a list of runs, as a table or for programs.
func PrintRuns(w io.Writer, runs []client.Run, form string) error {
	switch form {
	case "json":
		return output.JSON(w, client.Runs{Runs: runs})
	case "env":
		return printVariables(w, runs)
	case "names":
		for _, r := range runs {
			if _, err := fmt.Fprintln(w, r.ID); err != nil {
				return err
			}
		}
		return nil
	case "text":
		return printTable(w, runs)
	}
	return fmt.Errorf("-o %q: say text, names, env or json", form)
}

func printTable(w io.Writer, runs []client.Run) error {
	if len(runs) == 0 {
		_, err := fmt.Fprintln(w, "no runs")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "RUN\tSTATE\tEVENTS\tPROFILE\tMADE\tFORK OF\tENDS")
	for _, r := range runs {
		base, ends := "", ""
		if r.Base != nil {
			base = r.Base.Run + "@" + strconv.FormatUint(r.Base.Event, 10)
		}
		if !r.Ends.IsZero() {
			ends = r.Ends.Format(time.DateTime)
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%s\t%s\t%s\n", r.ID, r.State, r.Events, r.Profile, r.Made.Format(time.DateTime), base, ends)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, r := range runs {
		if r.Trouble == "" {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s: %s\n", r.ID, r.Trouble); err != nil {
			return err
		}
	}
	return nil
}

// printVariables writes how to reach each run, as NAME_PROXY and NAME_BASE.
func printVariables(w io.Writer, runs []client.Run) error {
	for _, r := range runs {
		if r.URLs == nil {
			continue
		}
		name := strings.ToUpper(strings.ReplaceAll(r.ID, "-", "_"))
		if name[0] >= '0' && name[0] <= '9' {
			name = "RUN_" + name
		}
		if _, err := fmt.Fprintf(w, "%s_PROXY=%s\n%s_BASE=%s\n", name, r.URLs.Proxy, name, r.URLs.Base); err != nil {
			return err
		}
	}
	return nil
}

// mostNames bounds what one pattern can stand for.
const mostNames = 10_000

// ExpandNames gives the names that patterns stand for, as a shell has it:
// shard-{1..40}, {red,blue}-run.
func ExpandNames(patterns []string) ([]string, error) {
	var all []string
	for _, pattern := range patterns {
		names, err := expand(pattern)
		if err != nil {
			return nil, err
		}
		if all = append(all, names...); len(all) > mostNames {
			return nil, fmt.Errorf("%s: that is more than %d runs at once", pattern, mostNames)
		}
	}
	for _, name := range all {
		if !journal.NewName(name) {
			return nil, fmt.Errorf("%q: %w", name, journal.ErrName)
		}
	}
	return all, nil
}

func expand(pattern string) ([]string, error) {
	before, rest, open := strings.Cut(pattern, "{")
	if !open {
		return []string{pattern}, nil
	}
	inside, after, closed := strings.Cut(rest, "}")
	if !closed {
		return nil, fmt.Errorf("%s: the brace is not closed; write shard-{1..40} or {red,blue}", pattern)
	}
	middles := strings.Split(inside, ",")
	if from, to, ok := strings.Cut(inside, ".."); ok {
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil || first > last || last-first >= mostNames {
			return nil, fmt.Errorf("%s: {%s} is not a range such as {1..40}, of at most %d", pattern, inside, mostNames)
		}
		middles = nil
		for n := first; n <= last; n++ {
			middles = append(middles, strconv.Itoa(n))
		}
	}
	ends, err := expand(after)
	if err != nil {
		return nil, err
	}
	if len(middles)*len(ends) > mostNames {
		return nil, fmt.Errorf("%s: that is more than %d runs at once", pattern, mostNames)
	}
	var all []string
	for _, middle := range middles {
		for _, end := range ends {
			all = append(all, before+middle+end)
		}
	}
	return all, nil
}
