// Package approvals is what commands show of calls that wait for somebody, and
// how somebody decides:
//
//	gateways that are up ─▶ Desk ─┬▶ List, Show, Log, Count     what is asked, and was said
//	records of runs ──────▶       └▶ Find ─▶ client.Decide      a word, to a gateway alone
//	kept.Rehearse ────────▶ PrintRehearsed, Unexpected          what a call would do
//
// Where a gateway is up that has a run, it is asked, since it knows the newest;
// else the run's record is read, as of one that is over.
package approvals

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/kept"
)

// Desk finds approvals and drafts.
type Desk struct {
	Root string           // where runs are kept
	Up   []*client.Client // gateways that are up
	Away bool             // the gateway was named: nothing is read here
}

// has gives the gateway that has a run, or nil, and the run's id.
func (d *Desk) has(ctx context.Context, run string) (*client.Client, string, error) {
	if !d.Away {
		var err error
		if _, run, err = kept.Find(d.Root, run); err != nil {
			return nil, "", err
		}
	}
	for _, k := range d.Up {
		_, err := k.Run(ctx, run)
		if refused := (*client.Error)(nil); errors.As(err, &refused) && (refused.Code == "unknown-run" || refused.Code == "run-ended") && !d.Away {
			continue
		}
		return k, run, err
	}
	return nil, run, nil
}

// Approvals lists approvals in a state, or all, oldest first: of one run, or of
// all that go on where run is "".
func (d *Desk) Approvals(ctx context.Context, run, state string) ([]client.Approval, error) {
	if run == "" {
		return d.waiting(ctx, state)
	}
	k, run, err := d.has(ctx, run)
	if err != nil {
		return nil, err
	}
	if k != nil {
		return k.Approvals(ctx, run, state)
	}
	r, err := kept.Read(d.Root, run)
	if err != nil {
		return nil, err
	}
	list, err := r.Approvals()
	if state != "" {
		list = slices.DeleteFunc(list, func(a client.Approval) bool { return a.State != state })
	}
	return list, err
}

// waiting lists those of all runs that go on.
func (d *Desk) waiting(ctx context.Context, state string) ([]client.Approval, error) {
	if len(d.Up) == 0 {
		return nil, &gateway.UsageError{Err: errors.New("no gateway is up here: --run last reads the approvals of a run that is over")}
	}
	var list []client.Approval
	for _, k := range d.Up {
		some, err := k.Approvals(ctx, "", state)
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	slices.SortStableFunc(list, func(a, b client.Approval) int { return a.Asked.Compare(b.Asked) })
	return list, nil
}

// Find finds one approval by its id, in a run or in those that go on; and the
// gateway that has it, nil where it is over.
func (d *Desk) Find(ctx context.Context, run, id string) (a client.Approval, k *client.Client, err error) {
	list, err := d.Approvals(ctx, run, "")
	if err != nil {
		return a, nil, err
	}
	var found []client.Approval
	for i := range list {
		if list[i].ID == id {
			found = append(found, list[i])
		}
	}
	switch len(found) {
	case 0:
		where := "run " + run + " has no approval " + id
		if run == "" {
			where = "no run that goes on has an approval " + id + "; --run names another run"
		}
		return a, nil, &gateway.UsageError{Err: fmt.Errorf("%s: `parity approvals list` has those there are", where)}
	case 1:
		k, _, err = d.has(ctx, found[0].Run)
		return found[0], k, err
	}
	runs := make([]string, len(found))
	for i := range found {
		runs[i] = found[i].Run
	}
	return a, nil, &gateway.UsageError{Err: fmt.Errorf("%s is an approval of %s: say which with --run", id, strings.Join(runs, ", "))}
}

// Say says something to what an approval asks, by the digest of what was shown.
func (d *Desk) Say(ctx context.Context, run, id string, w client.Decision) (before, after client.Approval, err error) {
	before, k, err := d.Find(ctx, run, id)
	if err != nil {
		return before, after, err
	}
	if k == nil {
		return before, after, &gateway.UsageError{Err: fmt.Errorf("run %s is over: nobody waits for an answer to %s any more", before.Run, id)}
	}
	w.Digest = before.Digest
	after, err = k.Decide(ctx, before.Run, id, w)
	return before, after, err
}

// Drafts lists the writes of a run that were captured, oldest first.
func (d *Desk) Drafts(ctx context.Context, run string) ([]client.Draft, error) {
	k, run, err := d.has(ctx, run)
	if err != nil {
		return nil, err
	}
	if k != nil {
		return k.Drafts(ctx, run)
	}
	r, err := kept.Read(d.Root, run)
	if err != nil {
		return nil, err
	}
	return r.Drafts()
}

// Draft finds one of them.
func (d *Desk) Draft(ctx context.Context, run, id string) (client.Draft, error) {
	list, err := d.Drafts(ctx, run)
	if err != nil {
		return client.Draft{}, err
	}
	for i := range list {
		if list[i].ID == id {
			return list[i], nil
		}
	}
	return client.Draft{}, &gateway.UsageError{Err: fmt.Errorf("run %s has no draft %s: `parity drafts list %s` has those there are", run, id, run)}
}
