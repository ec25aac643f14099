package kept

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"

	"parity/gateway/client"
	"parity/gateway/journal"
)

// List lists the runs that are kept under root, oldest first: those of
// `parity run`, and those of the gateway that stays up.
func List(root string) ([]client.Run, error) {
	stores, err := journal.Stores(RunsFolder(root))
	if err != nil {
		return nil, err
	}
	var list []client.Run
	for _, dir := range append(stores, SharedFolder(root)) {
		runs, err := runsIn(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		list = append(list, runs...)
	}
	slices.SortStableFunc(list, func(a, b client.Run) int { return cmp.Or(a.Made.Compare(b.Made), cmp.Compare(a.ID, b.ID)) })
	return list, nil
}

func runsIn(dir string) ([]client.Run, error) {
	r, err := journal.Open(dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	infos, err := r.Runs()
	if err != nil {
		return nil, err
	}
	var list []client.Run
	for _, info := range infos {
		run := Listed(info)
		rec, err := r.Read(info.Run)
		if err == nil {
			var meta map[string]string
			meta, err = rec.Meta()
			run.Profile, run.Seed = meta["profile"], meta["seed"]
			if u, ok := unrecordedIn(meta); ok {
				run.Trouble = u.String()
			}
		}
		if err != nil {
			run.Trouble = err.Error()
		}
		list = append(list, run)
	}
	return list, nil
}

// Listed is what the store's index tells of a run.
func Listed(info journal.Info) client.Run {
	r := client.Run{ID: info.Run, State: client.Live, Events: info.Last, Made: info.Made, Base: BaseOf(info)}
	if !info.Ended.IsZero() {
		r.State = client.Ended
	}
	return r
}

// BaseOf is where a fork began; nil for a run that is none.
func BaseOf(info journal.Info) *client.Base {
	if info.Base == "" {
		return nil
	}
	return &client.Base{Run: info.Base, Event: info.BaseSeq}
}
