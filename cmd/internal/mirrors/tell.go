package mirrors

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"parity/fakes/pseudonym"
	"parity/fakes/recording"
	"parity/gateway/mirror"
	"parity/specs/personal"
	"parity/specs/words"
)

// kinds are how many values of each kind have pseudonyms, as the file has them.
func kinds(r mirror.Replaced) []string {
	all := []string{}
	for _, kind := range slices.Sorted(maps.Keys(r.Kinds)) {
		all = append(all, fmt.Sprintf("%d %s", r.Kinds[kind], kind))
	}
	if r.Whole > 0 {
		all = append(all, fmt.Sprintf("%d text", r.Whole))
	}
	return all
}

// tell says what a mirror has, what was left out, and what was replaced.
func (t *taken) tell(w io.Writer, file, service string, head *recording.Mirror, counts map[string]int, r mirror.Replaced) error {
	fmt.Fprintf(w, "%s has %s of %s\n", file, words.Count(head.Records, "record"), service)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	from := head.From
	if t.calls > 0 {
		from += ": " + words.Count(int(t.calls), "call") + ", reads alone" //nolint:gosec // a few thousand at most
	}
	row := func(name, text string) { fmt.Fprintf(out, "%s\t%s\n", name, text) }
	row("from", from)
	row("as of", head.At.Format("2006-01-02 15:04 MST"))
	row("sampled", head.Sampled)
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	row("records", strings.Join(parts, ", "))
	row("replaced", replaced(r))
	for _, why := range slices.Sorted(maps.Keys(t.left)) {
		row("left out", fmt.Sprintf("%s: %d", why, t.left[why]))
	}
	for _, host := range slices.Sorted(maps.Keys(t.others)) {
		row("left out", fmt.Sprintf("exchanges of %s: %d", host, t.others[host]))
	}
	if t.partial != "" {
		row("PARTIAL", t.partial)
	}
	return out.Flush()
}

func replaced(r mirror.Replaced) string {
	named := map[personal.Kind]string{
		personal.Email: "email", personal.Phone: "phone number", personal.Name: "name", personal.Login: "login", personal.Address: "line of an address", personal.Account: "account number",
		personal.Card: "card number", personal.Birth: "day of birth", personal.Network: "machine", pseudonym.Secret: "secret",
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(r.Kinds)) {
		parts = append(parts, words.Count(r.Kinds[kind], named[kind]))
	}
	if r.Whole > 0 {
		parts = append(parts, words.Count(r.Whole, "whole text"))
	}
	if len(parts) == 0 {
		return "nothing: nothing of people was found"
	}
	return strings.Join(parts, ", ")
}
