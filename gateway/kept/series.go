package kept

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"parity/gateway/journal"
	"parity/gateway/report"
)

// seriesFile is what is kept of a series, in the folder of its runs.
const seriesFile = "series.json"

// KeepSeries keeps what came of a series in a folder: whole, or not at all.
func KeepSeries(dir string, of report.Series) error {
	var out bytes.Buffer
	if err := of.Keep(&out); err != nil {
		return err
	}
	draft, err := os.CreateTemp(dir, "."+seriesFile+"-")
	if err != nil {
		return err
	}
	_, err = draft.Write(out.Bytes())
	if err = errors.Join(err, draft.Sync(), draft.Close()); err == nil {
		err = os.Rename(draft.Name(), filepath.Join(dir, seriesFile))
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	return nil
}

// ReadSeries reads what is kept of the series of that name, or of the last one;
// nil: it is no series, or one that has not come to its end.
func ReadSeries(root, name string) (*report.Series, error) {
	dir, id, err := Find(root, name)
	if err != nil {
		return nil, err
	}
	return seriesAt(root, dir, id)
}

func seriesAt(root, dir, id string) (*report.Series, error) {
	if filepath.Base(dir) != id {
		return nil, nil
	}
	data, err := os.ReadFile(filepath.Join(dir, seriesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var s report.Series
	if err == nil {
		s, err = report.ReadSeries(data)
	}
	if err != nil {
		return nil, fmt.Errorf("what is kept of the series %s cannot be read: %w; its runs are %s-1 and so on, as `parity runs list` has them", id, err, id)
	}
	if one := s.One(); one != "" {
		k, err := Read(root, one)
		if err != nil {
			return nil, err
		}
		rep := k.Report()
		s.Numbers.Trials[0].Report = &rep
	}
	return &s, nil
}

// onlyRun is the run that the name of a series stands for: its only one. Of
// several somebody has to say which. Another name stands for itself.
func onlyRun(root, dir, id string) (run string, err error) {
	s, err := seriesAt(root, dir, id)
	if s == nil || err != nil {
		return id, err
	}
	if one := s.One(); one != "" {
		return one, nil
	}
	names, failed := s.Runs()
	if len(names) == 1 {
		return names[0], nil
	}
	which := "the first"
	if failed > 0 {
		which = "the first that failed"
	}
	return "", &UsageError{fmt.Errorf("%s is a series of %d runs: name one of them, such as %s, %s; `parity report %s` says what came of each", s.Name(), len(names), names[0], which, s.Name())}
}

// unended says what to name in the place of a series that nothing is kept of;
// nil: the store, of that name, is not that of a series.
func unended(r *journal.Reader, dir, id string) error {
	if r == nil || filepath.Base(dir) != id {
		return nil
	}
	if _, err := r.Read(id + "-1"); err != nil {
		return nil
	}
	return &UsageError{fmt.Errorf("%s is a series that goes on, or was ended before it said what came of it: name one of its runs, such as %s-1; `parity runs list` has them", id, id)}
}
