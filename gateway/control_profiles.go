package gateway

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"parity/fakes/builtin"
	"parity/gateway/admin"
	"parity/gateway/client"
	"parity/gateway/kept"
	"parity/profiles"
)

// stateOfProfile tells what is in force of a profile.
func stateOfProfile(of *source) client.State {
	p := of.profile()
	told := client.State{Profile: of.path, Name: p.Name, Revision: p.Revision, Trouble: of.trouble()}
	if state := of.state.Load(); state != nil {
		told.Since, told.RolledBack, told.Said, told.Foresight = state.since.UTC(), state.back, state.said, state.foresight
	}
	return told
}

// inForce tells it of every profile that is in use, by name.
func (s *Server) inForce() []client.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]client.State, 0, len(s.sources))
	for _, path := range slices.Sorted(maps.Keys(s.sources)) {
		all = append(all, stateOfProfile(s.sources[path]))
	}
	return all
}

// inUse is a profile that is in use, as whoever asks names it.
func (s *Server) inUse(asked any) (*source, error) {
	name, _ := asked.(string)
	if name == "" {
		return s.first, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.settings.profileOptions(name, s.ships)
	for path, of := range s.sources {
		if path == name || profiles.Place(path, o) == profiles.Place(name, o) {
			return of, nil
		}
	}
	return nil, &admin.Problem{Status: http.StatusNotFound, Code: "unknown-profile", Detail: fmt.Sprintf(
		"no run is under profile %s; those in use are %v", name, slices.Sorted(maps.Keys(s.sources)))}
}

func (s *Server) logProfile(_ context.Context, call admin.Call) (admin.Answer, error) {
	of, err := s.inUse(call.Query["profile"])
	if err != nil {
		return admin.Answer{}, err
	}
	records, err := s.settings.history().Records(profiles.Place(of.path, s.settings.profileOptions(of.path, s.ships)))
	if err != nil {
		return admin.Answer{}, err
	}
	return admin.Answer{JSON: client.Records{Records: recordsOf(records)}}, nil
}

func recordsOf(records []profiles.Record) []client.Record {
	list := make([]client.Record, len(records))
	for i, r := range records {
		list[i] = client.Record(r)
	}
	return list
}

// rollBackProfile puts an earlier revision in force until the file is saved
// again.
func (s *Server) rollBackProfile(_ context.Context, call admin.Call) (admin.Answer, error) {
	of, err := s.inUse(call.Body["profile"])
	if err != nil {
		return admin.Answer{}, err
	}
	of.changing.Lock()
	defer of.changing.Unlock()
	hash, _ := call.Body["revision"].(string)
	p, err := s.earlier(of, hash)
	if err == nil {
		p, err = kept.Only(p, of.only)
	}
	if err != nil {
		return admin.Answer{}, &admin.Problem{Status: http.StatusUnprocessableEntity, Code: "rollback", Detail: err.Error()}
	}
	if p.Revision == of.profile().Revision {
		return admin.Answer{}, &admin.Problem{Status: http.StatusConflict, Code: "in-force", Detail: "revision " + p.Revision + " of " + of.path + " is in force already"}
	}
	if err := s.enforce(of, p, inForce{since: s.settings.Wall.Now(), back: true}, profiles.RolledBack); err != nil {
		return admin.Answer{}, err
	}
	return admin.Answer{JSON: stateOfProfile(of)}, nil
}

// earlier reads a revision that was in force; with no hash, the one before.
func (s *Server) earlier(of *source, hash string) (*profiles.Profile, error) {
	if s.settings.Memory {
		return nil, errors.New("this gateway keeps nothing on disk, and no earlier revisions: start it without --memory")
	}
	o := s.settings.profileOptions(of.path, s.ships)
	if hash == "" {
		records, err := s.settings.history().Records(profiles.Place(of.path, o))
		if err != nil {
			return nil, err
		}
		for _, r := range slices.Backward(records) {
			if r.InForce() && r.Revision != of.profile().Revision {
				hash = r.Revision
				break
			}
		}
		if hash == "" {
			return nil, fmt.Errorf("no other revision of %s was in force, as far as is kept", of.path)
		}
	}
	return s.settings.history().Revision(of.path, hash, o)
}

// ProfileLog gives the revisions that are kept under root, of a profile by its
// file or its name; "": of all.
func ProfileLog(root, name string) ([]client.Record, error) {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return nil, err
	}
	if name != "" {
		name = profiles.Place(name, profiles.Options{Catalogue: catalogue})
	}
	records, err := Settings{Root: root}.WithDefaults().history().Records(name)
	return recordsOf(records), err
}
