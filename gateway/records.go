package gateway

import (
	"iter"

	"parity/faults/trail"
	"parity/gateway/kept"
)

// Kept reads a run of this gateway, as it is by now.
func (s *Server) Kept(name string) (*kept.Run, error) {
	rec, err := s.store.Read(name)
	if err != nil {
		return nil, err
	}
	return kept.ReadRecord(rec, s.ships, s.codec, s.others)
}

// others reads other runs of this gateway.
func (s *Server) others(name string) (*kept.Run, error) {
	rec, err := s.store.Read(name)
	if err != nil {
		return nil, err
	}
	return kept.Beside(rec, s.codec)
}

// metaOf is what the store keeps of a run besides its events.
func (s *Server) metaOf(name string) (map[string]string, error) {
	rec, err := s.store.Read(name)
	if err != nil {
		return nil, err
	}
	return rec.Meta()
}

// events reads a run's line of events from the store.
func (s *Server) events(name string) func(from uint64) iter.Seq2[trail.Event, error] {
	return func(from uint64) iter.Seq2[trail.Event, error] {
		return func(yield func(trail.Event, error) bool) {
			rec, err := s.store.Read(name)
			if err != nil {
				yield(trail.Event{}, err)
				return
			}
			for entry, err := range rec.Entries(from) {
				var e trail.Event
				if err == nil {
					e, err = s.codec.ReadEvent(entry.Data)
				}
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

// forks are the events at which a run's line of events went on in another run.
func (s *Server) forks(name string) []uint64 {
	info, ok := s.store.Run(name)
	if !ok || info.Base == "" {
		return nil
	}
	return append(s.forks(info.Base), info.BaseSeq)
}
