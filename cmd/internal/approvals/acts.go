package approvals

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"parity/cmd/internal/output"
	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/report"
)

// Waits lists what waits for a person: in one run, or in all that go on where run
// is "".
func (d *Desk) Waits(ctx context.Context, run string) ([]client.Wait, error) {
	if run != "" {
		k, run, err := d.has(ctx, run)
		if err != nil {
			return nil, err
		}
		if k == nil {
			return nil, &gateway.UsageError{Err: fmt.Errorf("run %s is over: nothing of it waits any more", run)}
		}
		return k.Waits(ctx, run)
	}
	if len(d.Up) == 0 {
		return nil, &gateway.UsageError{Err: errors.New("no gateway is up here: parity run and parity serve start one, --gateway names one elsewhere")}
	}
	var list []client.Wait
	for _, k := range d.Up {
		runs, err := k.Runs(ctx, client.Live)
		if err != nil {
			return nil, err
		}
		for i := range runs {
			some, err := k.Waits(ctx, runs[i].ID)
			if gone := (*client.Error)(nil); errors.As(err, &gone) && (gone.Code == "unknown-run" || gone.Code == "run-ended") {
				continue
			}
			if err != nil {
				return nil, err
			}
			list = append(list, some...)
		}
	}
	return list, nil
}

// Act does an act with what waits under an id.
func (d *Desk) Act(ctx context.Context, run string, n client.NewAct) (client.Acted, error) {
	list, err := d.Waits(ctx, run)
	if err != nil {
		return client.Acted{}, err
	}
	var found []client.Wait
	for i := range list {
		if list[i].ID == n.ID {
			found = append(found, list[i])
		}
	}
	switch len(found) {
	case 0:
		return client.Acted{}, &gateway.UsageError{Err: fmt.Errorf("nothing called %s waits for a person in %s: `parity act` lists what does", n.ID, cmp.Or(run, "a run that goes on"))}
	case 1:
	default:
		return client.Acted{}, &gateway.UsageError{Err: fmt.Errorf("%s waits in %d places (%s, %s …): say which run with --run", n.ID, len(found), found[0].Run, found[1].Run)}
	}
	k, name, err := d.has(ctx, found[0].Run)
	if err != nil || k == nil {
		return client.Acted{}, cmp.Or(err, error(&gateway.UsageError{Err: fmt.Errorf("run %s is over", name)}))
	}
	n.Collection = found[0].Collection
	return k.Act(ctx, found[0].Run, n)
}

// PrintWaits writes what waits for a person, one a line, or for programs.
func PrintWaits(w io.Writer, list []client.Wait, form string) error {
	if form == "json" {
		if list == nil {
			list = []client.Wait{}
		}
		return output.JSON(w, client.Waits{Waits: list})
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "nothing waits for a person")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tSERVICE\tWAITS FOR\tSINCE\tACTS\tRUN\tWHAT")
	for i := range list {
		e := &list[i]
		names := make([]string, len(e.Acts))
		for n, a := range e.Acts {
			names[n] = a.Name
		}
		since := "-"
		if !e.Since.IsZero() {
			since = e.Since.Format(time.TimeOnly)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", report.Plain(e.ID), e.Service, e.Kind, since, strings.Join(names, ", "), e.Run, report.Plain(e.Says))
	}
	return table.Flush()
}

// PrintActed writes what came of an act, or for programs.
func PrintActed(w io.Writer, a client.Acted, form string) error {
	if form == "json" {
		return output.JSON(w, a)
	}
	_, err := fmt.Fprintf(w, "#%d  %s (%s): %s %s: %s\n", a.Event, report.Plain(a.By.Name), a.By.Kind, a.Act, report.Plain(a.ID), report.Plain(cmp.Or(a.Did, "done")))
	return err
}
