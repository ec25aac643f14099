// Package builtin lists the services that ship with Parity.
//
//	builtin.Catalogue ──▶ github.New, googlecalendar.New, … zendesk.New
//
// The list is explicit, so that what a build can play is read in one place.
package builtin

import (
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

// Catalogue makes every built-in service.
func Catalogue() (*fakes.Catalogue, error) {
	var services []fakes.Service
	for _, construct := range []func() (fakes.Service, error){
		github.New,
		googlecalendar.New,
		hubspot.New,
		notion.New,
		sendgrid.New,
		slack.New,
		stripe.New,
		zendesk.New,
	} {
		service, err := construct()
		if err != nil {
			return nil, err
		}
		services = append(services, service)
	}
	return fakes.NewCatalogue(services...)
}
