package hubspot_test

import (
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/hubspot"
)

func TestRecordedConversations(t *testing.T) {
	t.Parallel()
	service, err := hubspot.New()
	if err != nil {
		t.Fatal(err)
	}
	faketest.Recorded(t, service, "hubspot", func(r *faketest.Rig) { r.Header.Set("Authorization", "Bearer "+token) }, frozen)
}

// frozen are recorded answers that the service of today, or this world, would
// not give.
var frozen = faketest.Frozen{
	"legacyv1-contact-destroy.json#1":      "of 2013: JSON was then said to be text/plain",
	"legacyv1-contact-destroy.json#2":      "of 2013: JSON was then said to be text/plain",
	"legacyv1-company-batch-update.json#1": "of 2018: createdate then had one version, and since 2019 two",
	"legacyv1-company-batch-update.json#3": "of 2018: createdate then had one version, and since 2019 two",
	"legacyv1-create-or-update.json#3":     "analytics, the enrichment of the company and lists that fill themselves have been at the contact for a second",
	"legacyv1-create-or-update.json#4":     "which contact was changed last is decided by that enrichment",
	"legacyv1-create-or-update.json#5":     "analytics, the enrichment of the company and lists that fill themselves have been at the contact for a second",
	"rubyv3-contacts-properties.json#1":    "the body is kept in base64 and cut short",
}
