package gateway

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"parity/fakes/builtin"
	"parity/gateway/fidelity"
	"parity/gateway/report"
	"parity/profiles"
	"parity/specs/secret"
	"parity/specs/words"
)

// Fidelity is a measurement of how close fakes come to what was recorded.
type Fidelity struct {
	Root       string   // where runs are kept
	Recordings []string // files, folders, runs
	Profile    string   // whose differences count as declared; "": none do
	Propose    string   // a file for what is not declared, as YAML
	Output     string   // text, json or yaml
	All        bool     // every difference, not the first of them
}

// Print measures and writes what came of it, and gives the exit code. Nothing is
// sent to a service, and no credential that was recorded is written.
func (f Fidelity) Print(w io.Writer) (code int, err error) {
	if !slices.Contains([]string{"text", "json", "yaml"}, f.Output) {
		return 0, &UsageError{fmt.Errorf("--output %q: say text, json or yaml", f.Output)}
	}
	result, r, err := f.measure()
	if err != nil {
		return 0, err
	}
	hide := r.masker()
	var out bytes.Buffer
	switch f.Output {
	case "json":
		err = writeJSON(&out, result)
	case "yaml":
		out.WriteString(result.Proposed)
	default:
		f.text(&out, &result, r.others)
	}
	if err != nil {
		return 0, err
	}
	if f.Propose != "" {
		if err := os.WriteFile(f.Propose, []byte(hide(result.Proposed)), 0o600); err != nil {
			return 0, err
		}
	}
	if _, err := io.WriteString(w, hide(out.String())); err != nil {
		return 0, err
	}
	if len(result.Undeclared()) > 0 {
		code = ExitConditions
	}
	return code, nil
}

func (f Fidelity) measure() (fidelity.Result, *recordings, error) {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return fidelity.Result{}, nil, err
	}
	o := fidelity.Options{Catalogue: catalogue, Marks: []string{secret.Opening, "***"}}
	if f.Profile != "" {
		if o.Profile, err = profiles.Load(f.Profile, profiles.Options{Catalogue: catalogue}); err != nil {
			return fidelity.Result{}, nil, &UsageError{err}
		}
		o.Catalogue = o.Profile.Catalogue
	}
	r := &recordings{root: f.Root, catalogue: o.Catalogue, others: map[string]int{}}
	for _, name := range f.Recordings {
		if err := r.read(name); err != nil {
			return fidelity.Result{}, nil, &UsageError{err}
		}
	}
	if len(r.all) == 0 {
		return fidelity.Result{}, nil, &UsageError{fmt.Errorf("no call to a service that is played was recorded%s: `parity services list` has those, and --profile can bind more", r.strangers())}
	}
	result, err := fidelity.Measure(r.all, o)
	return result, r, err
}

func (r *recordings) strangers() string {
	if len(r.others) == 0 {
		return ""
	}
	return ", only to " + strings.Join(slices.Sorted(maps.Keys(r.others)), ", ")
}

// masker hides what looks like a secret, and what recordings show as one.
func (r *recordings) masker() func(string) string {
	var pairs []string
	for _, shown := range r.shown {
		for _, part := range strings.Fields(shown) {
			if len(part) >= 8 { // Bearer and Basic are none
				pairs = append(pairs, part, "***")
			}
		}
	}
	known := strings.NewReplacer(pairs...)
	return func(text string) string { return report.Masked(known.Replace(text)) }
}

// most is how many lines each list of a measurement has.
const mostLines = 20

func (f Fidelity) text(w io.Writer, r *fidelity.Result, others map[string]int) {
	fmt.Fprintf(w, "parity score %.1f %%\n%s, %s (%d alike in everything), %s compared, %d missed\n",
		r.Percent, words.Count(r.Recordings, "recording"), words.Count(r.Exchanges, "exchange"), r.Alike, words.Count(r.Compared, "field"), r.Missed)
	for _, host := range slices.Sorted(maps.Keys(others)) {
		fmt.Fprintf(w, "left out: %s of %s, which no service here answers for or which had no reply\n", words.Count(others[host], "exchange"), host)
	}
	f.scores(w, r)
	var declared []fidelity.Difference
	for _, d := range r.Differences {
		if d.Declared != "" {
			declared = append(declared, d)
		}
	}
	f.differences(w, "undeclared", r.Undeclared())
	f.differences(w, "declared", declared)
	if len(r.Stale) > 0 {
		fmt.Fprintf(w, "\nstale: declared, and these recordings show none of it where they could\n  %s\n", strings.Join(r.Stale, "\n  "))
	}
	f.derived(w, r)
	if r.Proposed != "" && f.Propose == "" {
		fmt.Fprintf(w, "\n-o yaml writes what is undeclared as a part of a profile, and --propose FILE into a file: review it before you paste it\n")
	}
}

func (f Fidelity) scores(w io.Writer, r *fidelity.Result) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nscore\texchanges\talike\tfields\tmissed\toperation")
	row := func(name string, s fidelity.Score) {
		fmt.Fprintf(t, "%.1f %%\t%d\t%d\t%d\t%d\t%s\n", s.Percent, s.Exchanges, s.Alike, s.Compared, s.Missed, name)
	}
	for _, s := range r.Services {
		row(s.Name, s.Score)
		for i, o := range worstFirst(s.Operations) {
			if i == mostLines && !f.All {
				fmt.Fprintf(t, "\t\t\t\t\t  and %s more: --all\n", words.Count(len(s.Operations)-i, "operation"))
				break
			}
			name := "  " + o.Name
			if o.NotModelled {
				name += " (not modelled)"
			}
			row(name, o.Score)
		}
	}
	_ = t.Flush() // into memory
}

func worstFirst(all []fidelity.Operation) []fidelity.Operation {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b fidelity.Operation) int { return b.Missed - a.Missed })
	return all
}

func (f Fidelity) differences(w io.Writer, what string, all []fidelity.Difference) {
	fmt.Fprintf(w, "\n%s: %s\n", what, words.Count(len(all), "difference"))
	for i, d := range all {
		if i == mostLines && !f.All {
			fmt.Fprintf(w, "  and %d more: --all\n", len(all)-i)
			return
		}
		fmt.Fprintf(w, "  %s: %s\n      %s; %s, first %s", d.Operation, d.Sentence(), d.Property, words.Count(d.Exchanges, "exchange"), d.First)
		switch {
		case d.Declared != "":
			fmt.Fprintf(w, "; declared as %s", d.Declared)
		case d.NotModelled:
			fmt.Fprint(w, "; no contract here has the operation, so no profile can name it")
		}
		fmt.Fprintln(w)
	}
}

// derived writes what recordings tell of pace, limits and sizes.
func (f Fidelity) derived(w io.Writer, r *fidelity.Result) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(r.Paces) > 0 {
		fmt.Fprintln(t, "\npace, as inject: latency takes it\treplies\toperation")
		for _, p := range r.Paces {
			fmt.Fprintf(t, "%s\t%d\t%s\n", p.With(), p.Replies, p.Operation)
		}
	}
	_ = t.Flush()
	if len(r.Limits) > 0 {
		fmt.Fprintln(w, "\nlimits")
	}
	for _, l := range r.Limits {
		fmt.Fprintf(w, "  %s:", l.Operation)
		if l.Refused > 0 {
			fmt.Fprintf(w, " %s refused with 429, to wait %s;", words.Count(l.Refused, "call"), strings.Join(l.RetryAfter, ", "))
		}
		for _, name := range slices.Sorted(maps.Keys(l.Headers)) {
			fmt.Fprintf(w, " %s: %s", name, l.Headers[name])
		}
		fmt.Fprintln(w)
	}
	if len(r.Pages) > 0 {
		fmt.Fprintln(w, "\npages")
	}
	for _, p := range r.Pages {
		fmt.Fprintf(w, "  %s: %s at most", p.Operation, words.Count(p.Longest, "item"))
		if p.Default > 0 {
			fmt.Fprintf(w, ", %d where no size was asked for and there were more", p.Default)
		}
		for _, asked := range slices.Sorted(maps.Keys(p.Asked)) {
			fmt.Fprintf(w, "; %s gave %d", asked, p.Asked[asked])
		}
		fmt.Fprintln(w)
	}
}
