// Package builtin lists the services that ship with Parity.
//
//	builtin.Catalogue ──▶ github.New, googlecalendar.New, … zendesk.New
//
// The list is explicit, so that what a build can play is read in one place.
package builtin

import (
	"errors"
	"sync"

	"parity/fakes"
	"parity/fakes/github"
	"parity/fakes/googlecalendar"
	"parity/fakes/hubspot"
	"parity/fakes/notion"
	"parity/fakes/sendgrid"
	"parity/fakes/slack"
	"parity/fakes/stripe"
	"parity/fakes/zendesk"
)

// Catalogue gives every built-in service. They are made once in a process:
// nothing in a contract, a fake or a catalogue changes once it is made.
func Catalogue() (*fakes.Catalogue, error) { return once() }

var once = sync.OnceValues(construct)

func construct() (*fakes.Catalogue, error) {
	creators := []func() (fakes.Service, error){
		github.New,
		googlecalendar.New,
		hubspot.New,
		notion.New,
		sendgrid.New,
		slack.New,
		stripe.New,
		zendesk.New,
	}
	services, failed := make([]fakes.Service, len(creators)), make([]error, len(creators))
	var reading sync.WaitGroup // contracts are read side by side: every command waits for them
	for i, create := range creators {
		reading.Go(func() { services[i], failed[i] = create() })
	}
	reading.Wait()
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	return fakes.NewCatalogue(services...)
}
