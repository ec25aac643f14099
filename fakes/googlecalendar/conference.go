package googlecalendar

import (
	"parity/fakes/kit"
)

const (
	meet     = "hangoutsMeet"
	meetIcon = "https://fonts.gstatic.com/s/i/productlogos/meet_2020q4/v6/web-512dp/logo_meet_2020q4_color_2x_web_512dp.png"
)

// confer makes, keeps or takes away the conference of an event. A client that
// does not say conferenceDataVersion=1 cannot: what it sends is ignored.
// Source: developers.google.com/workspace/calendar/api/guides/create-events.
func (c *call) confer(draft map[string]any) *refusal {
	if c.count("conferenceDataVersion", 0) < 1 {
		return nil
	}
	said, ok := c.Input.Body["conferenceData"]
	if !ok {
		return nil
	}
	wanted, _ := said.(map[string]any)
	if wanted == nil {
		delete(draft, "conferenceData")
		delete(draft, "hangoutLink")
		return nil
	}
	request, asks := wanted["createRequest"].(map[string]any)
	if !asks {
		draft["conferenceData"] = only(wanted, "entryPoints", "conferenceSolution", "conferenceId", "signature", "notes", "parameters")
		return nil
	}
	id := kit.Text(request, "requestId")
	kind := kit.Text(request, "conferenceSolutionKey.type")
	if kind == "" {
		kind = meet
	}
	switch {
	case id == "":
		return missing("Missing conference request id.")
	case kind != meet:
		return invalid("Invalid conference type value.")
	case kit.Text(draft, "conferenceData.createRequest.requestId") == id:
		return nil // asked again: it is there
	}
	code := c.letters(10)
	code = code[:3] + "-" + code[3:7] + "-" + code[7:]
	draft["hangoutLink"] = "https://meet.google.com/" + code
	draft["conferenceData"] = map[string]any{
		"createRequest": map[string]any{
			"requestId": id, "conferenceSolutionKey": map[string]any{"type": meet}, "status": map[string]any{"statusCode": "success"},
		},
		"entryPoints":        []any{map[string]any{"entryPointType": "video", "uri": "https://meet.google.com/" + code, "label": "meet.google.com/" + code}},
		"conferenceSolution": map[string]any{"key": map[string]any{"type": meet}, "name": "Google Meet", "iconUri": meetIcon},
		"conferenceId":       code,
	}
	return nil
}

// letters makes up small letters.
func (c *call) letters(n int) string {
	made := []byte(c.NewID("", n))
	for i, b := range made {
		made[i] = 'a' + b%26
	}
	return string(made)
}
