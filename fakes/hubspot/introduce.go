package hubspot

import "parity/fakes"

// Introduction shows a private app's token of the form that HubSpot's have, which nobody was given.
func (f *Fake) Introduction() string { return "Bearer pat-na1-00000000-0000-4000-8000-000000000001" }

var _ fakes.Introducer = (*Fake)(nil)
