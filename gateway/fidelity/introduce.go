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
	if credential, known := madeUp()[s.Service.Name]; known {
		s.Header.Set("Authorization", credential)
		return
	}
	for _, credential := range append(shown(exchanges), "Bearer fidelity") {
		s.Header.Set("Authorization", credential)
		if who, trouble := identifier.Identify(fakes.Presented{Header: s.Header}); who != "" && trouble == nil {
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

// madeUp are credentials of the forms that the services that ship have, none of
// which anybody was given: Basic is "owner@example.com/token:none".
func madeUp() map[string]string {
	return map[string]string{
		"github": "token ghp_fidelity", "googlecalendar": "Bearer ya29.fidelity", "hubspot": "Bearer pat-na1-00000000-0000-4000-8000-000000000001",
		"notion": "Bearer ntn_fidelity", "sendgrid": "Bearer SG.none.fidelity", "slack": "Bearer xoxb-1-fidelity", "stripe": "Bearer sk_test_fidelity",
		"zendesk": "Basic b3duZXJAZXhhbXBsZS5jb20vdG9rZW46bm9uZQ==",
	}
}
