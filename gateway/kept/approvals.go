package kept

import (
	"bytes"
	"encoding/json"
	"iter"
	"maps"
	"time"

	"parity/fakes"
	"parity/faults/trail"
	"parity/gateway/approval"
	"parity/gateway/client"
)

// Approvals are those that the run's calls asked for, oldest first, as they are in
// the end.
func (k *Run) Approvals() ([]client.Approval, error) {
	state, err := k.At(0)
	if err != nil {
		return nil, err
	}
	list := []client.Approval{}
	for _, a := range approval.All(state.World) {
		shown, err := ShownApproval(k.ID, a.Value(), k.since)
		if err != nil {
			return nil, err
		}
		list = append(list, shown)
	}
	return list, nil
}

// Drafts are the writes of the run that were captured, oldest first.
func (k *Run) Drafts() ([]client.Draft, error) {
	state, err := k.At(0)
	if err != nil {
		return nil, err
	}
	list := []client.Draft{}
	for record := range state.World.Oldest(fakes.DraftsCollection, 0) {
		shown, err := ShownDraft(k.ID, record.Value(), k.since)
		if err != nil {
			return nil, err
		}
		list = append(list, shown)
	}
	return list, nil
}

// AskedHistory is what became of the approvals that the run's own calls asked for:
// what it was forked from is that run's.
func (k *Run) AskedHistory() (all []approval.Entry) {
	for i := range k.Events {
		if e := &k.Events[i]; e.Seq > k.Info.BaseSeq {
			all = append(all, approval.History(k.ID, e)...)
		}
	}
	return all
}

// since gives the run's events from one on.
func (k *Run) since(from uint64) iter.Seq2[trail.Event, error] {
	return func(yield func(trail.Event, error) bool) {
		for _, e := range k.Events {
			if e.Seq >= from && !yield(e, nil) {
				return
			}
		}
	}
}

// Since gives a run's events from one on.
type Since func(from uint64) iter.Seq2[trail.Event, error]

// ShownApproval is an approval as it is shown, from its record in the world of a
// run.
func ShownApproval(run string, value map[string]any, since Since) (client.Approval, error) {
	shown, err := asShown[client.Approval](value, "asked", "decided", "lapses", "expires")
	if err == nil {
		shown.Run = run
		shown.Before, err = since.before(shown.Identity, shown.Event)
	}
	return shown, err
}

// ShownDraft is a draft as it is shown, from its record in the world of a run.
func ShownDraft(run string, value map[string]any, since Since) (client.Draft, error) {
	shown, err := asShown[client.Draft](value, "at")
	if err == nil {
		shown.Run = run
		shown.Before, err = since.before(shown.Identity, shown.Event)
	}
	return shown, err
}

// asShown decodes a record of the world that has instants in nanoseconds.
func asShown[T any](value map[string]any, instants ...string) (shown T, err error) {
	value = maps.Clone(value)
	for _, name := range instants {
		if ns, ok := value[name].(int64); ok {
			value[name] = time.Unix(0, ns).UTC().Format(time.RFC3339Nano)
		}
	}
	text, err := json.Marshal(value)
	if err == nil {
		exact := json.NewDecoder(bytes.NewReader(text))
		exact.UseNumber() // who decides sees each digit
		err = exact.Decode(&shown)
	}
	return shown, err
}

// mostEarlier is how many calls before are shown, and how many events are looked
// through for them.
const (
	mostEarlier = 8
	lookBack    = 200
)

// before is what a caller did before an event, oldest first.
func (since Since) before(identity string, before uint64) ([]client.Earlier, error) {
	list := []client.Earlier{}
	for e, err := range since(max(1, before-min(before, lookBack))) {
		if err != nil {
			return list, err
		}
		if e.Seq >= before {
			break
		}
		if e.Kind == trail.Exchanged && e.Identity == identity && e.Exchange.Operation != "" {
			list = append(list, client.Earlier{Event: e.Seq, Call: e.Exchange.Service + " " + e.Exchange.Method + " " + e.Exchange.Path, Status: e.Exchange.Status})
		}
	}
	return list[max(0, len(list)-mostEarlier):], nil
}
