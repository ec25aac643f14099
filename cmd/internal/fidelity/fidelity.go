// Package fidelity tells how close fakes come to what was recorded of services.
//
//	recordings ─▶ gateway/fidelity asks the fakes, and compares
//	                 │
//	                 ├▶ text: score, differences, pace, limits, pages
//	                 ├▶ json: all of it
//	                 └▶ yaml, --propose: what a profile would have to declare
//
// Nothing is sent to a service, and no credential that was recorded is written.
package fidelity

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"parity/cmd/internal/output"
	"parity/cmd/internal/recordings"
	"parity/fakes/builtin"
	"parity/gateway/fidelity"
	"parity/gateway/report"
	"parity/profiles"
	"parity/specs/secret"
	"parity/specs/words"
)

// Measurement says which recordings fakes are held against, and how to tell of it.
type Measurement struct {
	Root       string   // where runs are kept
	Recordings []string // files, folders, runs
	Profile    string   // whose differences count as declared; "": none do
	Propose    string   // a file for what is not declared, as YAML
	Output     string   // text, json or yaml
	All        bool     // every difference, not the first of them
}

// Print measures and writes what came of it, and gives the exit code. Nothing is
// sent to a service, and no credential that was recorded is written.
func (f Measurement) Print(w io.Writer) (code int, err error) {
	if !slices.Contains([]string{"text", "json", "yaml"}, f.Output) {
		return 0, fmt.Errorf("--output %q: say text, json or yaml", f.Output)
	}
	result, r, err := f.measure()
	if err != nil {
		return 0, err
	}
	hide := masker(r)
	var out bytes.Buffer
	switch f.Output {
	case "json":
		err = output.JSON(&out, result)
	case "yaml":
		out.WriteString(result.Proposed)
	default:
		f.text(&out, &result, r.Others)
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
		code = output.ExitConditions
	}
	return code, nil
}

func (f Measurement) measure() (fidelity.Result, *recordings.Recordings, error) {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return fidelity.Result{}, nil, err
	}
	o := fidelity.Options{Catalogue: catalogue, Marks: []string{secret.Opening, "***"}}
	if f.Profile != "" {
		if o.Profile, err = profiles.Load(f.Profile, profiles.Options{Catalogue: catalogue}); err != nil {
			return fidelity.Result{}, nil, err
		}
		o.Catalogue = o.Profile.Catalogue
	}
	r := recordings.New(f.Root, o.Catalogue)
	for _, name := range f.Recordings {
		if err := r.Read(name); err != nil {
			return fidelity.Result{}, nil, err
		}
	}
	if len(r.All) == 0 {
		return fidelity.Result{}, nil, fmt.Errorf("no call to a service that is played was recorded%s: `parity services list` has those, and --profile can bind more", strangers(r))
	}
	result, err := fidelity.Measure(r.All, o)
	return result, r, err
}

func strangers(r *recordings.Recordings) string {
	if len(r.Others) == 0 {
		return ""
	}
	return ", only to " + strings.Join(slices.Sorted(maps.Keys(r.Others)), ", ")
}

// masker hides what looks like a secret, and what recordings show as one.
func masker(r *recordings.Recordings) func(string) string {
	var pairs []string
	for _, shown := range r.Shown {
		for _, part := range strings.Fields(shown) {
			if len(part) >= secret.Shortest {
				pairs = append(pairs, part, "***")
			}
		}
	}
	known := strings.NewReplacer(pairs...)
	return func(text string) string { return report.Masked(known.Replace(text)) }
}

// mostLines is how many lines each list of a measurement has.
const mostLines = 20

func (f Measurement) text(w io.Writer, r *fidelity.Result, others map[string]int) {
	fmt.Fprintf(w, "parity score %.1f %%\n%s, %s (%d alike in everything), %s compared, %d missed\n",
		r.Percent, words.Count(r.Recordings, "recording"), words.Count(r.Exchanges, "exchange"), r.Alike, words.Count(r.Compared, "field"), r.Missed)
	for _, kind := range []struct {
		name, why string
		of        fidelity.Score
	}{{"writes", "", r.Writes}, {"reads", ", of a world that was set up from what they showed", r.Reads}} {
		if kind.of.Exchanges > 0 {
			fmt.Fprintf(w, "%s %.1f %%: %s (%d alike), %s, %d missed%s\n", kind.name, kind.of.Percent, words.Count(kind.of.Exchanges, "exchange"), kind.of.Alike, words.Count(kind.of.Compared, "field"), kind.of.Missed, kind.why)
		}
	}
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
	f.disputes(w, r.Disputes)
	f.derived(w, r)
	if r.Proposed != "" && f.Propose == "" {
		fmt.Fprintf(w, "\n-o yaml writes what is undeclared as a part of a profile, and --propose FILE into a file: review it before you paste it\n")
	}
}

func (f Measurement) scores(w io.Writer, r *fidelity.Result) {
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

func (f Measurement) differences(w io.Writer, what string, all []fidelity.Difference) {
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

// disputes writes where the judges of the contract do not agree.
func (f Measurement) disputes(w io.Writer, all []fidelity.Dispute) {
	if len(all) == 0 {
		return
	}
	said := func(text string) string {
		if text == "" {
			return "it holds"
		}
		return text
	}
	fmt.Fprintf(w, "\njudges of the contract disagree: %d\n", len(all))
	for i, d := range all {
		if i == mostLines && !f.All {
			fmt.Fprintf(w, "  and %d more: --all\n", len(all)-i)
			return
		}
		fmt.Fprintf(w, "  %s, %s: Parity says %s; kin-openapi says %s; %s, first %s\n", d.Operation, d.Of, said(d.Ours), said(d.Other), words.Count(d.Times, "time"), d.First)
	}
}

// derived writes what recordings tell of pace, limits and sizes.
func (f Measurement) derived(w io.Writer, r *fidelity.Result) {
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
