package kept

import (
	"fmt"
	"os"

	"parity/fakes/tape"
	"parity/faults/run"
	"parity/gateway/journal"
)

// checkpointFormat is raised with every change of what is saved of a state: a
// checkpoint of another format is not read.
const checkpointFormat = 1

// CheckpointVersion names the way in which this Parity comes to a state and saves
// it. Another build may fold events otherwise, or make other worlds to begin with,
// so that it takes no checkpoint of this one's: it folds the events once. It is to be
// asked for as the process begins: later another build may be where this one was.
func CheckpointVersion() string {
	version := fmt.Sprint(checkpointFormat, " ", Build())
	path, err := os.Executable()
	if err != nil {
		return version
	}
	info, err := os.Stat(path)
	if err != nil {
		return version
	}
	return fmt.Sprint(version, " ", info.Size(), " ", info.ModTime().UnixNano()) // builds that were not committed have one name
}

// SaveState writes a state as a checkpoint. It is not ok where a state cannot be
// one.
func SaveState(s *run.State, put func(piece []byte) error) (ok bool, err error) {
	to := tape.NewWriter(put)
	if !s.Save(to) {
		return false, nil
	}
	return true, to.Close()
}

// Checkpointed gives the state of the newest checkpoint of a run that is not after
// event upto; origin is the state before its first event. It is not ok where there
// is none, and the error says why one that is there is of no use.
func Checkpointed(rec *journal.Record, version string, origin *run.State, upto uint64) (s run.State, ok bool, err error) {
	c, err := rec.Checkpoint(upto)
	if err != nil || c == nil {
		return s, false, err
	}
	if c.Version != version {
		return s, false, fmt.Errorf("run %s: the checkpoint after event %d is of Parity %s, and this one is %s", rec.Info().Run, c.Seq, c.Version, version)
	}
	s, err = origin.Load(tape.NewReader(c.Pieces()))
	if err == nil && s.Seq != c.Seq {
		err = fmt.Errorf("it is after event %d", s.Seq)
	}
	if err != nil {
		return s, false, fmt.Errorf("run %s: the checkpoint after event %d: %w", rec.Info().Run, c.Seq, err)
	}
	return s, true, nil
}

// many events are worth looking for a checkpoint before they are folded.
const manyEvents = 512

// from gives the state that those after it are to be folded on, up to event seq.
func (k *Run) from(origin run.State, seq uint64) run.State {
	if k.saved == nil || seq < manyEvents {
		return origin
	}
	s, ok, err := k.saved(&origin, seq)
	if err != nil || !ok { // the events are there
		return origin
	}
	return s
}

// savedUnder reads a checkpoint of a run from the store in dir, which it opens for
// that.
func savedUnder(dir, id, version string) func(*run.State, uint64) (run.State, bool, error) {
	return func(origin *run.State, upto uint64) (run.State, bool, error) {
		r, err := journal.Open(dir)
		if err != nil {
			return run.State{}, false, err
		}
		defer r.Close()
		rec, err := r.Read(id)
		if err != nil {
			return run.State{}, false, err
		}
		return Checkpointed(rec, version, origin, upto)
	}
}
