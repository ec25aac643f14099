package specs

import (
	"encoding/json"
	"strings"
	"testing"
)

// A discovery document, as far as it is looked at.
type discovered struct {
	Parameters map[string]any
	Resources  map[string]struct {
		Methods map[string]struct {
			ID, Path, HTTPMethod string
			Parameters           map[string]struct{ Location string }
		}
	}
	Schemas map[string]discoveredSchema
}

type discoveredSchema struct {
	Properties map[string]struct {
		Properties map[string]any
		Items      discoveredSchema
	}
}

// TestGoogleCalendarAgainstTheVendor checks that all our contract says of
// Google Calendar is in the vendor's: methods by id, path and verb, parameters
// by name, fields of resources by name.
func TestGoogleCalendarAgainstTheVendor(t *testing.T) {
	t.Parallel()
	var theirs discovered
	if err := json.Unmarshal(sharedContract(t, "google-calendar-discovery.json.gz"), &theirs); err != nil {
		t.Fatal(err)
	}
	contract, err := Builtin("googlecalendar")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, op := range contract.Operations {
		parts := strings.Split(op.ID, ".")
		if len(parts) != 3 || parts[0] != "calendar" || parts[1] == "batch" {
			continue // how to get in
		}
		method, ok := theirs.Resources[parts[1]].Methods[parts[2]]
		if !ok || method.ID != op.ID || method.HTTPMethod != op.Method || "/calendar/v3/"+method.Path != op.Path {
			t.Errorf("%s (%s) is %+v in the vendor's contract", op.Name(), op.ID, method)
			continue
		}
		seen[op.ID] = true
		op.read()
		for in, part := range map[string]*part{"path": op.path, "query": op.query} {
			if part == nil {
				continue
			}
			for name := range part.known().properties {
				if _, common := theirs.Parameters[name]; !common && method.Parameters[name].Location != in {
					t.Errorf("%s: %s parameter %s is not the vendor's", op.Name(), in, name)
				}
			}
			for name, p := range method.Parameters {
				if p.Location == in && part.known().properties[name] == nil {
					t.Errorf("%s: we leave out the %s parameter %s", op.Name(), in, name)
				}
			}
		}
	}
	for _, resource := range theirs.Resources {
		for _, method := range resource.Methods {
			if !seen[method.ID] {
				t.Logf("we leave out %s", method.ID)
			}
		}
	}
	theirs.records(t, contract)
}

// records compares the fields of resources, by their names.
func (d discovered) records(t *testing.T, contract *Contract) {
	t.Helper()
	for ours, vendor := range map[string]string{
		"event": "Event", "attendee": "EventAttendee", "when": "EventDateTime", "attachment": "EventAttachment", "conference": "ConferenceData", "reminder": "EventReminder",
		"events": "Events", "calendar": "Calendar", "entry": "CalendarListEntry", "calendar_list": "CalendarList", "rule": "AclRule", "acl_list": "Acl",
		"setting": "Setting", "settings": "Settings", "channel": "Channel", "colors": "Colors", "freebusy": "FreeBusyResponse",
	} {
		known := contract.API().Component(ours)
		if known == nil {
			t.Errorf("there is no schema %s", ours)
			continue
		}
		has := map[string]bool{}
		for _, property := range known.Target().View().Properties {
			has[property.Name] = true
			if _, ok := d.Schemas[vendor].Properties[property.Name]; !ok {
				t.Errorf("%s: field %s is not the vendor's", ours, property.Name)
			}
		}
		for name := range d.Schemas[vendor].Properties {
			if !has[name] {
				t.Logf("%s: we leave out %s", ours, name)
			}
		}
	}
}
