package kept

import (
	"context"
	"errors"
	"slices"

	"parity/fakes/builtin"
	"parity/fakes/clock"
	"parity/faults"
	"parity/faults/trail"
	"parity/gateway/client"
	"parity/gateway/exchange"
	"parity/gateway/journal"
	"parity/gateway/metrics"
	"parity/profiles"
)

// WatchProfile says of a profile, and again at each save, what a gateway would
// say: what is wrong with it, or what its rules would have met of the newest
// exchanges that are kept under root. It needs no gateway, and ends with ctx.
func WatchProfile(ctx context.Context, root, name string, say func(p *profiles.Profile, met string, err error)) error {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return err
	}
	l := exchange.New(exchange.Options{Metrics: metrics.New(metrics.Options{Faults: faults.CatalogueNames(), Reasons: exchange.Reasons()}), Wall: clock.System{}, Lifetime: ctx})
	read := func(p *profiles.Profile, err error) {
		var rev *exchange.Revision
		if err == nil {
			rev, err = l.Compile(p)
		}
		var met []exchange.Met
		if err == nil {
			met, err = newest(root, profiles.Place(name, profiles.Options{Catalogue: catalogue}))
		}
		if err != nil {
			say(nil, "", err)
			return
		}
		f := Preview(rev, met)
		say(p, PreviewText(&f), nil)
	}
	o := profiles.Options{Catalogue: catalogue, Shelf: profiles.NewShelf(), Wall: clock.System{}}
	p, seen, err := profiles.LoadSeen(name, o)
	o.Seen = seen
	read(p, err)
	return profiles.Watch(ctx, name, o, read)
}

// newest are the newest exchanges that are kept under root: of runs under that
// profile, or where there are none, of all runs.
func newest(root, place string) ([]exchange.Met, error) {
	runs, err := List(root)
	if err != nil {
		return nil, err
	}
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return nil, err
	}
	o := profiles.Options{Catalogue: catalogue}
	own := slices.DeleteFunc(slices.Clone(runs), func(r client.Run) bool { return profiles.Place(r.Profile, o) != place })
	if len(own) > 0 {
		runs = own
	}
	var all []exchange.Met
	for _, r := range slices.Backward(runs) {
		some, err := lastOf(root, r.ID)
		var damaged *journal.DamagedError
		if err != nil && !errors.As(err, &damaged) {
			return nil, err
		}
		if all = append(some, all...); len(all) >= exchange.Remembered {
			return all[len(all)-exchange.Remembered:], nil
		}
	}
	return all, nil
}

// lastOf are the newest exchanges of one run.
func lastOf(root, name string) ([]exchange.Met, error) {
	rec, closes, err := OpenRecord(root, name)
	if err != nil {
		return nil, err
	}
	defer closes()
	codec, err := trail.NewCodec()
	if err != nil {
		return nil, err
	}
	const enough = 4 * exchange.Remembered // not every event is an exchange
	var all []exchange.Met
	for entry, err := range rec.Entries(max(rec.Info().Last, enough) - enough) {
		if err != nil {
			return all, err
		}
		e, err := codec.ReadEvent(entry.Data)
		if err != nil {
			return all, err
		}
		if e.Exchange != nil && e.Exchange.Operation != "" && e.Kind == trail.Exchanged {
			all = append(all, exchange.Met{Run: rec.Info().Run, Event: &e})
		}
	}
	return all[max(0, len(all)-exchange.Remembered):], nil
}
