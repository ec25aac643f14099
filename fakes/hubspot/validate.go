package hubspot

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// The codes of flaws.
const (
	doesNotExist  = "PROPERTY_DOESNT_EXIST"
	invalidOption = "INVALID_OPTION"
	invalidEmail  = "INVALID_EMAIL"
	invalidLong   = "INVALID_LONG"
	invalidNumber = "INVALID_INTEGER"
	invalidDate   = "INVALID_DATE"
	readOnlyValue = "READ_ONLY_VALUE"
	whitespace    = "LEADING_TRAILING_WHITESPACE"
	invalidOwner  = "INVALID_OWNER_ID"
)

// address is what HubSpot takes for an email address.
var address = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[^@\s<>(),;:]+@[^@\s<>(),;:]+\.[\pL\pN-]{2,}$`) })

// mostFlaws bounds how many flaws of one object are told.
const mostFlaws = 100

// values holds given properties of a type against their definitions, and gives
// them as they are stored: "" clears a property. All flaws are told at once, up to mostFlaws.
func (c *call) values(o *objectType, given map[string]any) (map[string]string, *refusal) {
	checked, flaws := c.check(o, given)
	if len(flaws) > 0 {
		return nil, c.flawed(flaws)
	}
	return checked, nil
}

func (c *call) check(o *objectType, given map[string]any) (map[string]string, []flaw) {
	checked := make(map[string]string, len(given))
	var flaws []flaw
	for _, property := range slices.Sorted(maps.Keys(given)) {
		if given[property] == nil {
			continue
		}
		value := cast.Plain(given[property])
		stored, wrong := c.value(o, property, value)
		if wrong != nil {
			wrong.name, wrong.value = property, kit.Clip(value)
			if flaws = append(flaws, *wrong); len(flaws) == mostFlaws {
				return nil, flaws
			}
			continue
		}
		checked[property] = stored
	}
	return checked, flaws
}

// value holds one value against its definition.
func (c *call) value(o *objectType, property, value string) (stored string, wrong *flaw) {
	d := c.definition(o, property)
	switch {
	case d == nil:
		return "", &flaw{code: doesNotExist, message: fmt.Sprintf("Property %q does not exist", kit.Clip(property))}
	case d.readOnly:
		return "", &flaw{code: readOnlyValue, message: fmt.Sprintf("%q is a read only property; its value cannot be set.", property)}
	case value == "":
		return "", nil
	case d.kind != "string" && strings.TrimSpace(value) != value:
		return "", &flaw{code: whitespace, message: fmt.Sprintf("%q includes leading or trailing whitespace.", value)}
	}
	if property == "email" && o.name == "contacts" {
		value = strings.ToLower(strings.TrimSpace(value))
		if !address().MatchString(value) {
			return "", &flaw{code: invalidEmail, message: fmt.Sprintf("Email address %s is invalid", kit.Clip(value))}
		}
		return value, nil
	}
	switch d.kind {
	case "number":
		if _, err := strconv.ParseFloat(value, 64); err != nil {
			return "", &flaw{code: invalidNumber, message: kit.Clip(value) + " was not a valid number."}
		}
	case "datetime":
		at, ok := moment(value)
		if !ok {
			return "", &flaw{code: invalidLong, message: kit.Clip(value) + " was not a valid long."}
		}
		return instant(at), nil
	case "date":
		return dateOf(value)
	case "bool":
		if value != "true" && value != "false" {
			return "", notAmong(value, []option{{"true", ""}, {"false", ""}})
		}
	case "enumeration":
		return c.choice(d, value)
	}
	return value, nil
}

// choice holds a value against the options of an enumeration.
func (c *call) choice(d *definition, value string) (string, *flaw) {
	if d.name == "hubspot_owner_id" {
		if _, known := c.fake.store.Get(c.Tx, owners, value); !known && c.Tx.Len(c.fake.store.Full(owners)) > 0 {
			return "", &flaw{code: invalidOwner, message: kit.Clip(value) + " is not a valid owner ID"}
		}
	}
	if d.external || len(d.options) == 0 {
		return value, nil
	}
	chosen := []string{value}
	if d.multiple {
		chosen = strings.Split(strings.Trim(value, ";"), ";")
	}
	for _, one := range chosen {
		if !slices.ContainsFunc(d.options, func(o option) bool { return o.value == one }) {
			return "", notAmong(one, d.options)
		}
	}
	return value, nil
}

func notAmong(value string, options []option) *flaw {
	names := make([]string, len(options))
	for i, o := range options {
		names[i] = o.value
	}
	return &flaw{code: invalidOption, message: fmt.Sprintf("%s was not one of the allowed options: [%s]", kit.Clip(value), strings.Join(names, ", "))}
}

// moment reads a time: milliseconds since 1970, or ISO 8601.
func moment(value string) (time.Time, bool) {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return time.UnixMilli(n).UTC(), n > -62135596800000 && n < 253402300800000
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04:05-0700", "2006-01-02T15:04", "2006-01-02"} {
		if at, err := time.Parse(layout, value); err == nil {
			return at.UTC(), true
		}
	}
	return time.Time{}, false
}

// dateOf reads a day, which as a time has to be midnight in UTC.
func dateOf(value string) (string, *flaw) {
	at, ok := moment(value)
	switch {
	case !ok:
		return "", &flaw{code: invalidDate, message: kit.Clip(value) + " was not a valid date."}
	case !at.Equal(at.Truncate(24 * time.Hour)):
		return "", &flaw{code: invalidDate, message: fmt.Sprintf("%s is at %s UTC, not midnight!", value, at.Format("15:4:5.000"))}
	}
	return at.Format(time.DateOnly), nil
}

// staged holds a record's stage against its pipeline. The pipeline is the one
// that is given, else the record's, else the first; a pipeline that is given
// alone keeps the stage where that is one of its own.
func (c *call) staged(o *objectType, set map[string]string, before map[string]any) *refusal {
	if o.pipeline == "" {
		return nil
	}
	chosen, known := set[o.pipeline]
	if chosen == "" {
		if chosen = cast.Text(before[o.pipeline]); chosen == "" {
			chosen = c.firstPipeline(o)
		}
	}
	stage, given := set[o.stage]
	pipeline := c.pipeline(o, chosen)
	if known && pipeline == nil {
		return c.flawed([]flaw{{name: o.pipeline, value: chosen, code: invalidOption, message: fmt.Sprintf("%s is not a valid pipeline ID. Valid options are: [%s]", kit.Clip(chosen), strings.Join(c.pipelineIDs(o), ", "))}})
	}
	if !given || stage == "" {
		return nil
	}
	if pipeline == nil || !slices.Contains(stageIDs(pipeline), stage) {
		return c.flawed([]flaw{{name: o.stage, value: stage, code: invalidOption, message: fmt.Sprintf("%s is not a valid pipeline stage ID. Valid options are: pipelineId=%s : [%s]", kit.Clip(stage), chosen, strings.Join(stageIDs(pipeline), ", "))}})
	}
	if !known && cast.Text(before[o.pipeline]) == "" {
		set[o.pipeline] = chosen
	}
	return nil
}
