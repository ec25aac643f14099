package googlecalendar

import (
	"strconv"
	"strings"
)

// The palettes, by id from 1.
// Source: developers.google.com/workspace/calendar/api/v3/reference/colors.
const (
	calendarShades = "ac725e d06b64 f83a22 fa573c ff7537 ffad46 42d692 16a765 7bd148 b3dc6c fbe983 fad165 92e1c0 9fe1e7 9fc6e7 4986e7 9a9cff b99aff c2c2c2 cabdbf cca6ac f691b2 cd74e6 a47ae2"
	eventShades    = "a4bdfc 7ae7bf dbadff ff887c fbd75b ffb878 46d6db e1e1e1 5484ed 51b749 dc2127"
)

func palette(shades string) map[string]any {
	colors := map[string]any{}
	for i, shade := range strings.Fields(shades) {
		colors[strconv.Itoa(i+1)] = map[string]any{"background": "#" + shade, "foreground": "#1d1d1d"}
	}
	return colors
}

func calendarColors() map[string]any { return palette(calendarShades) }
func eventColors() map[string]any    { return palette(eventShades) }

func getColors(*call) (answer, *refusal) {
	return many(map[string]any{
		"kind": "calendar#colors", "updated": "2012-02-14T00:00:00.000Z", "calendar": calendarColors(), "event": eventColors(),
	})
}
