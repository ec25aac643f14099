package sdktest

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"os"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"
)

// calendarAgent is google.golang.org/api at the same work as
// node/googlecalendar.mjs.
func calendarAgent(work string) int {
	ctx := context.Background()
	g, err := calendarClient(ctx, oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "ya29.sdk"}))
	var found map[string]any
	if err == nil {
		found, err = map[string]func(context.Context, *calendar.Service) (map[string]any, error){
			"life": calendarLives, "page": calendarPaged, "fail": calendarFails, "sign": calendarSigns, "trouble": calendarTroubled, "lose": calendarLoses,
		}[work](ctx, g)
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(found)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", work, err)
		return 2
	}
	return 0
}

func calendarClient(ctx context.Context, tokens oauth2.TokenSource) (*calendar.Service, error) {
	options := []option.ClientOption{option.WithTokenSource(tokens)}
	if base := os.Getenv("GOOGLECALENDAR_BASE"); base != "" {
		options = append(options, option.WithEndpoint(base+"/calendar/v3/"))
	}
	return calendar.NewService(ctx, options...)
}

// calendarFailure is an error of the client's, by its class.
func calendarFailure(err error) map[string]any {
	var refused *googleapi.Error
	var token *oauth2.RetrieveError
	switch {
	case err == nil:
		return map[string]any{"class": "none"}
	case errors.As(err, &token):
		return map[string]any{"class": "oauth2.RetrieveError", "status": token.Response.StatusCode, "reason": token.ErrorCode}
	case errors.As(err, &refused):
		found := map[string]any{"class": "googleapi.Error", "status": refused.Code, "message": refused.Message}
		if len(refused.Errors) > 0 {
			found["reason"] = refused.Errors[0].Reason
		}
		return found
	}
	return map[string]any{"class": "error", "message": err.Error()}
}

func viennese(instant string) *calendar.EventDateTime {
	return &calendar.EventDateTime{DateTime: instant, TimeZone: "Europe/Vienna"}
}

func wholeDay(id string) *calendar.Event {
	return &calendar.Event{Id: id, Summary: "x", Start: &calendar.EventDateTime{Date: "2026-03-02"}, End: &calendar.EventDateTime{Date: "2026-03-03"}}
}

// calendarErrs runs steps until one fails.
type calendarErrs struct{ err error }

func step[T any](e *calendarErrs, do func(...googleapi.CallOption) (T, error)) T {
	var none T
	if e.err != nil {
		return none
	}
	value, err := do()
	if err != nil {
		e.err = err
		return none
	}
	return value
}

func (e *calendarErrs) do(do func(...googleapi.CallOption) error) {
	if e.err == nil {
		e.err = do()
	}
}

func calendarLives(_ context.Context, g *calendar.Service) (map[string]any, error) {
	e := &calendarErrs{}
	team := step(e, g.Calendars.Insert(&calendar.Calendar{Summary: "Team", TimeZone: "Europe/Vienna"}).Do)
	if e.err != nil {
		return nil, e.err
	}
	renamed := step(e, g.Calendars.Patch(team.Id, &calendar.Calendar{Summary: "The team"}).Do)
	made := step(e, g.Events.Insert(team.Id, &calendar.Event{
		Summary: "Weekly", Start: viennese("2026-03-23T09:00:00"), End: viennese("2026-03-23T10:00:00"), Recurrence: []string{"RRULE:FREQ=WEEKLY;COUNT=3"},
		Attendees:      []*calendar.EventAttendee{{Email: "ada@example.org"}},
		ConferenceData: &calendar.ConferenceData{CreateRequest: &calendar.CreateConferenceRequest{RequestId: "r1", ConferenceSolutionKey: &calendar.ConferenceSolutionKey{Type: "hangoutsMeet"}}},
	}).SendUpdates("all").ConferenceDataVersion(1).Do)
	if e.err != nil {
		return nil, e.err
	}
	patch := g.Events.Patch(team.Id, made.Id, &calendar.Event{Location: "Graz"})
	patch.Header().Set("If-Match", made.Etag)
	patched := step(e, patch.Do)
	if e.err != nil {
		return nil, e.err
	}
	whole := *patched
	whole.Summary = "Weekly sync"
	updated := step(e, g.Events.Update(team.Id, made.Id, &whole).Do)
	read := step(e, g.Events.Get(team.Id, made.Id).Do)
	instances := step(e, g.Events.Instances(team.Id, made.Id).Do)
	listed := step(e, g.Events.List(team.Id).SingleEvents(true).OrderBy("startTime").TimeMin("2026-03-24T00:00:00Z").TimeZone("UTC").Do)
	imported := step(e, g.Events.Import(team.Id, &calendar.Event{ICalUID: "x@example.org", Summary: "Imported", Start: viennese("2026-04-01T10:00:00"), End: viennese("2026-04-01T11:00:00")}).Do)
	quick := step(e, g.Events.QuickAdd("primary", "Lunch on 2026-04-02 12pm").Do)
	if e.err != nil {
		return nil, e.err
	}
	moved := step(e, g.Events.Move("primary", quick.Id, team.Id).Do)
	found, err := calendarRest(e, g, team.Id, made.Id)
	if err != nil {
		return nil, err
	}
	starts := func(events *calendar.Events) (all []string) {
		for _, event := range events.Items {
			all = append(all, event.Start.DateTime)
		}
		return all
	}
	calendarRead, _ := found["calendar"].([]any)
	found["calendar"] = append([]any{team.Kind, renamed.Summary}, calendarRead...)
	found["made"] = []any{made.Kind, made.Status, made.Start.DateTime, made.Attendees[0].ResponseStatus, made.ConferenceData.ConferenceSolution.Name}
	found["patched"], found["updated"], found["read"] = []any{patched.Location, patched.Sequence}, updated.Summary, read.Header.Get("Etag") == read.Etag
	found["instances"], found["listed"], found["zone"] = starts(instances), starts(listed), listed.TimeZone
	found["imported"], found["quick"], found["moved"] = imported.ICalUID, quick.Summary, []any{moved.Status, moved.Organizer.DisplayName}
	return found, nil
}

// calendarRest goes through what is no event, and takes all away again.
func calendarRest(e *calendarErrs, g *calendar.Service, team, event string) (map[string]any, error) {
	busy := step(e, g.Freebusy.Query(&calendar.FreeBusyRequest{
		TimeMin: "2026-03-23T00:00:00Z", TimeMax: "2026-03-24T00:00:00Z", Items: []*calendar.FreeBusyRequestItem{{Id: team}, {Id: "nobody@example.org"}},
	}).Do)
	channel := step(e, g.Events.Watch(team, &calendar.Channel{Id: "ch-1", Type: "web_hook", Address: "https://agent.example/hook"}).Do)
	if e.err != nil {
		return nil, e.err
	}
	e.do(g.Channels.Stop(&calendar.Channel{Id: channel.Id, ResourceId: channel.ResourceId}).Do)
	rule := step(e, g.Acl.Insert(team, &calendar.AclRule{Role: "reader", Scope: &calendar.AclRuleScope{Type: "user", Value: "ada@example.org"}}).Do)
	rules := step(e, g.Acl.List(team).Do)
	list := step(e, g.CalendarList.List().Do)
	entry := step(e, g.CalendarList.Get(team).Do)
	e.do(g.CalendarList.Delete(team).Do)
	again := step(e, g.CalendarList.Insert(&calendar.CalendarListEntry{Id: team, ColorId: "5"}).Do)
	settings := step(e, g.Settings.List().Do)
	colors := step(e, g.Colors.Get().Do)
	e.do(g.Events.Delete(team, event).Do)
	read := step(e, g.Calendars.Get(team).Do)
	e.do(g.Calendars.Delete(team).Do)
	if e.err != nil {
		return nil, e.err
	}
	zone := false
	for _, s := range settings.Items {
		zone = zone || s.Id == "timezone"
	}
	return map[string]any{
		"calendar": []any{read.TimeZone, http.StatusNoContent}, "entry": []any{entry.AccessRole, again.BackgroundColor, len(list.Items)},
		"busy":    []any{len(busy.Calendars[team].Busy), busy.Calendars["nobody@example.org"].Errors[0].Reason},
		"stopped": http.StatusNoContent, "rule": []any{rule.Id, len(rules.Items)}, "settings": zone, "colors": len(colors.Event), "deleted": http.StatusNoContent,
	}, nil
}

func calendarPaged(ctx context.Context, g *calendar.Service) (map[string]any, error) {
	for range 21 {
		if _, err := g.Events.Insert("primary", wholeDay("")).Do(); err != nil {
			return nil, err
		}
	}
	seen, pages, sync, fourth := map[string]bool{}, 0, "", ""
	err := g.Events.List("primary").MaxResults(10).Pages(ctx, func(page *calendar.Events) error {
		pages++
		sync = page.NextSyncToken
		for _, event := range page.Items {
			if seen[event.Id] = true; len(seen) == 4 && fourth == "" {
				fourth = event.Id
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := g.Events.Delete("primary", fourth).Do(); err != nil {
		return nil, err
	}
	changed, err := g.Events.List("primary").SyncToken(sync).Do()
	if err != nil {
		return nil, err
	}
	var states []string
	for _, event := range changed.Items {
		states = append(states, event.Status)
	}
	return map[string]any{"seen": len(seen), "pages": pages, "changed": states, "same": changed.Items[0].Id == fourth}, nil
}

func calendarFails(ctx context.Context, g *calendar.Service) (map[string]any, error) {
	e := &calendarErrs{}
	first := step(e, g.Events.Insert("primary", wholeDay("order00042")).Do)
	step(e, g.Events.Patch("primary", "order00042", &calendar.Event{Summary: "y"}).Do)
	step(e, g.Events.Insert("primary", wholeDay("order00043")).Do)
	e.do(g.Events.Delete("primary", "order00043").Do)
	if e.err != nil {
		return nil, e.err
	}
	wrong, err := calendarClient(ctx, oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "wrong"}))
	if err != nil {
		return nil, err
	}
	stale := g.Events.Patch("primary", first.Id, &calendar.Event{Summary: "z"})
	stale.Header().Set("If-Match", first.Etag)
	found := map[string]any{"gone": calendarFailure(g.Events.Delete("primary", "order00043").Do())}
	for name, do := range map[string]func(...googleapi.CallOption) (*calendar.Event, error){
		"absent": g.Events.Get("primary", "nosuch").Do, "taken": g.Events.Insert("primary", wholeDay("order00042")).Do,
		"stale": stale.Do, "empty": g.Events.Insert("primary", &calendar.Event{Summary: "x"}).Do,
	} {
		_, err := do()
		found[name] = calendarFailure(err)
	}
	for name, do := range map[string]func(...googleapi.CallOption) (*calendar.Events, error){
		"order": g.Events.List("primary").OrderBy("startTime").Do, "token": g.Events.List("primary").SyncToken("CAbc").Do, "credential": wrong.Events.List("primary").Do,
	} {
		_, err := do()
		found[name] = calendarFailure(err)
	}
	return found, nil
}

func calendarSigns(ctx context.Context, _ *calendar.Service) (map[string]any, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	packed, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	account, err := json.Marshal(map[string]string{
		"type": "service_account", "client_email": "bot@project.iam.gserviceaccount.com", "token_uri": "https://oauth2.googleapis.com/token",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: packed})),
	})
	if err != nil {
		return nil, err
	}
	robot, err := google.JWTConfigFromJSON(account, calendar.CalendarScope)
	if err != nil {
		return nil, err
	}
	app := &oauth2.Config{ClientID: "me", ClientSecret: "mine", Endpoint: google.Endpoint}
	found := map[string]any{}
	for name, tokens := range map[string]oauth2.TokenSource{
		"robot": robot.TokenSource(ctx), "refreshed": app.TokenSource(ctx, &oauth2.Token{RefreshToken: "1//mine"}), "malformed": app.TokenSource(ctx, &oauth2.Token{RefreshToken: "mine"}),
	} {
		g, err := calendarClient(ctx, tokens)
		if err != nil {
			return nil, err
		}
		list, err := g.Events.List("primary").Do()
		if err != nil {
			found[name] = calendarFailure(err)
		} else {
			found[name] = list.Kind
		}
	}
	return found, nil
}

func calendarTroubled(_ context.Context, g *calendar.Service) (map[string]any, error) {
	_, limited := g.Events.List("primary").Do()
	_, broken := g.CalendarList.List().Do()
	_, conflict := g.Calendars.Insert(&calendar.Calendar{Summary: "x"}).Do()
	return map[string]any{"limited": calendarFailure(limited), "broken": calendarFailure(broken), "conflict": calendarFailure(conflict)}, nil
}

func calendarLoses(_ context.Context, g *calendar.Service) (map[string]any, error) {
	_, lost := g.Events.Insert("primary", wholeDay("order00042")).Do()
	_, again := g.Events.Insert("primary", wholeDay("order00042")).Do()
	list, err := g.Events.List("primary").Do()
	if err != nil {
		return nil, err
	}
	told := calendarFailure(again)
	return map[string]any{"lost": calendarFailure(lost)["class"], "status": told["status"], "reason": told["reason"], "events": len(list.Items)}, nil
}
