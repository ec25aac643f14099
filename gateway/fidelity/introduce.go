package fidelity

import (
	"strings"

	"parity/fakes"
	"parity/fakes/recording"
	"parity/fakes/stage"
)

// introduce has a stage's calls show a credential that its service takes: one
// that only looks right where it is known how it has to look, as recordings seldom
// have any; else the recorded one.
func introduce(s *stage.Stage, exchanges []recording.Exchange) {
	s.Header.Set("User-Agent", "parity-fidelity")
	identifier, ok := s.Service.Fake.(fakes.Identifier)
	if !ok {
		return
	}
	if introducer, known := s.Service.Fake.(fakes.Introducer); known {
		s.Header.Set("Authorization", introducer.Introduction())
		return
	}
	for _, credential := range append(shown(exchanges), "Bearer fidelity") {
		s.Header.Set("Authorization", credential)
		if who, trouble := identifier.Identify(fakes.Credentials{Header: s.Header}); who != "" && trouble == nil {
			return
		}
	}
	s.Header.Del("Authorization")
}

func shown(exchanges []recording.Exchange) []string {
	for i := range exchanges {
		for name, value := range exchanges[i].Request.Header {
			if strings.EqualFold(name, "authorization") && exchanges[i].Response.Good() {
				return []string{value}
			}
		}
	}
	return nil
}
