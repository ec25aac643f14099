package hubspot

import (
	"slices"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// deepest is how many branches of a list's filters may be inside one another.
const deepest = 12

// checkBranch refuses filters that no list has: the first branch is an OR of
// ANDs, and properties are those of the type.
// Source: developers.hubspot.com/docs/guides/api/crm/lists/lists-filters.
func (c *call) checkBranch(o *objectType, branch map[string]any, root bool) *refusal {
	kind := cast.Text(branch["filterBranchType"])
	if root && kind != "OR" {
		return invalid("The root filterBranch must have the filterBranchType OR, and has %s", kit.Clip(kind))
	}
	return c.checkInside(o, branch, 0)
}

func (c *call) checkInside(o *objectType, branch map[string]any, depth int) *refusal {
	if depth > deepest {
		return invalid("Filter branches are nested too deeply")
	}
	kind := cast.Text(branch["filterBranchType"])
	if !slices.Contains([]string{"OR", "AND", "NOT_ALL", "NOT_ANY", "RESTRICTED", "ASSOCIATION", "PROPERTY_ASSOCIATION", "UNIFIED_EVENTS"}, kind) {
		return invalid("%s is not a filterBranchType", kit.Clip(kind))
	}
	of := o
	if kind == "ASSOCIATION" {
		to, known := c.typeNamed(cast.Text(branch["objectTypeId"]))
		if !known {
			return unknownType(cast.Text(branch["objectTypeId"]))
		}
		of = to
	}
	for _, one := range cast.Objects(branch["filters"]) {
		property := cast.Text(one["property"])
		if one["filterType"] != "PROPERTY" || kind == "UNIFIED_EVENTS" {
			continue
		}
		if c.definition(of, property) == nil {
			r := invalid("Property %q does not exist on object type %s", kit.Clip(property), of.id)
			r.context = map[string]any{"propertyName": []any{kit.Clip(property)}}
			return r
		}
		if cast.Text(cast.Object(one["operation"])["operator"]) == "" {
			return invalid("A filter of property %q has no operator", kit.Clip(property))
		}
	}
	for _, one := range cast.Objects(branch["filterBranches"]) {
		if refused := c.checkInside(of, one, depth+1); refused != nil {
			return refused
		}
	}
	return nil
}

// fullBranch writes filters as lists keep them: with what was left out.
func fullBranch(branch map[string]any) map[string]any {
	full := changed(branch)
	if full["filterBranchOperator"] == nil {
		full["filterBranchOperator"] = "AND"
		if full["filterBranchType"] == "OR" {
			full["filterBranchOperator"] = "OR"
		}
	}
	filters, branches := []any{}, []any{}
	for _, one := range cast.Objects(branch["filters"]) {
		f := changed(one)
		if operation := cast.Object(f["operation"]); operation != nil && operation["includeObjectsWithNoValueSet"] == nil {
			operation = changed(operation)
			operation["includeObjectsWithNoValueSet"] = false
			f["operation"] = operation
		}
		filters = append(filters, f)
	}
	for _, one := range cast.Objects(branch["filterBranches"]) {
		branches = append(branches, fullBranch(one))
	}
	full["filters"], full["filterBranches"] = filters, branches
	return full
}

// matching lists the ids of the records that filters fit, oldest first.
func (c *call) matching(o *objectType, branch map[string]any) []string {
	var ids []string
	if branch == nil {
		return nil
	}
	for r := range c.Tx.Oldest(c.fake.store.Full(o.collection), 0) {
		if visible(o, r, false) && c.fits(o, r, branch, 0) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// fits tells whether a record meets a branch. An empty one is met by all.
func (c *call) fits(o *objectType, r *world.Record, branch map[string]any, depth int) bool {
	kind := cast.Text(branch["filterBranchType"])
	if depth > deepest {
		return false
	}
	if kind == "ASSOCIATION" {
		return c.fitsAssociated(o, r, branch, depth)
	}
	var parts []bool
	for _, one := range cast.Objects(branch["filters"]) {
		parts = append(parts, c.fitsFilter(o, r, one))
	}
	for _, one := range cast.Objects(branch["filterBranches"]) {
		parts = append(parts, c.fits(o, r, one, depth+1))
	}
	any, all := slices.Contains(parts, true), !slices.Contains(parts, false)
	switch kind {
	case "OR":
		return any || len(parts) == 0
	case "AND":
		return all
	case "NOT_ALL":
		return !all
	case "NOT_ANY":
		return !any
	}
	return false // of events and of properties that are associations nothing is known
}

// fitsAssociated tells whether a record is associated with one that meets the
// branch.
func (c *call) fitsAssociated(o *objectType, r *world.Record, branch map[string]any, depth int) bool {
	to, known := c.typeNamed(cast.Text(branch["objectTypeId"]))
	if !known {
		return false
	}
	inner := changed(branch)
	inner["filterBranchType"] = "AND"
	wanted := cast.Int(branch["associationTypeId"])
	for _, l := range c.links(o, r.ID, to) {
		other, there := c.find(to, l.id)
		if there && (wanted == 0 || slices.Contains(l.types, wanted)) && c.fits(to, other, inner, depth+1) {
			return cast.Text(branch["operator"]) != "NOT_IN_LIST"
		}
	}
	return cast.Text(branch["operator"]) == "NOT_IN_LIST"
}

func (c *call) fitsFilter(o *objectType, r *world.Record, f map[string]any) bool {
	switch cast.Text(f["filterType"]) {
	case "PROPERTY":
		return fitsProperty(textOf(r, cast.Text(f["property"])), cast.Object(f["operation"]), c.Now)
	case "IN_LIST":
		other, there := c.fake.store.Get(c.Tx, lists, cast.Plain(f["listId"]))
		if !there {
			return false
		}
		_, in := c.fake.store.Get(c.Tx, memberships, other.ID+"/"+r.ID)
		if branch := cast.Object(segment(other)["filterBranch"]); segment(other)["processingType"] == dynamic && branch != nil && segment(other)["objectTypeId"] == o.id {
			in = !refersToList(branch) && c.fits(o, r, branch, 0)
		}
		return in != (cast.Text(f["operator"]) == "NOT_IN_LIST")
	}
	return false
}

// refersToList tells whether filters name a list, which is not followed twice:
// two lists may name one another.
func refersToList(branch map[string]any) bool {
	return slices.ContainsFunc(cast.Objects(branch["filters"]), func(f map[string]any) bool { return f["filterType"] == "IN_LIST" }) ||
		slices.ContainsFunc(cast.Objects(branch["filterBranches"]), refersToList)
}

// fitsProperty tells whether a value meets an operation of a filter.
func fitsProperty(value string, operation map[string]any, now time.Time) bool {
	operator := cast.Text(operation["operator"])
	switch operator {
	case "IS_KNOWN", "IS_NOT_BLANK":
		return value != ""
	case "IS_UNKNOWN", "IS_BLANK":
		return value == ""
	}
	if value == "" {
		return operation["includeObjectsWithNoValueSet"] == true
	}
	if plain, negated := strings.CutPrefix(operator, "IS_NOT_"); negated {
		return !holdsFor("IS_"+plain, value, operation, now)
	}
	if plain, negated := strings.CutPrefix(operator, "DOES_NOT_"); negated {
		return !holdsFor(strings.Replace(plain, "CONTAIN", "CONTAINS", 1), value, operation, now)
	}
	if operator == "IS_NONE_OF" {
		return !holdsFor("IS_ANY_OF", value, operation, now)
	}
	return holdsFor(operator, value, operation, now)
}

// wantedOf lists the values that an operation names.
func wantedOf(operation map[string]any) []string {
	var all []string
	for _, one := range cast.List(operation["values"]) {
		all = append(all, cast.Plain(one))
	}
	if one, is := operation["value"]; is {
		all = append(all, cast.Plain(one))
	}
	return all
}

func holdsFor(operator, value string, operation map[string]any, now time.Time) bool {
	wanted := wantedOf(operation)
	some := func(test func(string) bool) bool { return slices.ContainsFunc(wanted, test) }
	lower := strings.ToLower(value)
	switch operator {
	case "IS_EQUAL_TO", "IS_EXACTLY":
		return some(func(w string) bool { return equal(value, w) })
	case "IS_ANY_OF":
		return some(func(w string) bool {
			return slices.ContainsFunc(strings.Split(value, ";"), func(v string) bool { return equal(v, w) })
		})
	case "CONTAINS":
		return some(func(w string) bool { return strings.Contains(lower, strings.ToLower(w)) })
	case "CONTAINS_ALL":
		return !some(func(w string) bool { return !slices.Contains(strings.Split(value, ";"), w) })
	case "STARTS_WITH", "START_WITH":
		return some(func(w string) bool { return strings.HasPrefix(lower, strings.ToLower(w)) })
	case "ENDS_WITH", "END_WITH":
		return some(func(w string) bool { return strings.HasSuffix(lower, strings.ToLower(w)) })
	case "IS_GREATER_THAN":
		return some(func(w string) bool { return compare(value, w) > 0 })
	case "IS_GREATER_THAN_OR_EQUAL_TO":
		return some(func(w string) bool { return compare(value, w) >= 0 })
	case "IS_LESS_THAN":
		return some(func(w string) bool { return compare(value, w) < 0 })
	case "IS_LESS_THAN_OR_EQUAL_TO":
		return some(func(w string) bool { return compare(value, w) <= 0 })
	}
	return holdsInTime(operator, value, operation, now)
}

// holdsInTime is for operations that name a range or a time.
func holdsInTime(operator, value string, operation map[string]any, now time.Time) bool {
	at, isTime := moment(value)
	days := time.Duration(cast.Int(operation["numberOfDays"])) * day
	switch operator {
	case "IS_BETWEEN":
		if low, is := operation["lowerBound"]; is {
			return compare(value, cast.Plain(low)) >= 0 && compare(value, cast.Plain(operation["upperBound"])) <= 0
		}
		from, to := pointOf(operation["lowerBoundTimePoint"]), pointOf(operation["upperBoundTimePoint"])
		return isTime && !at.Before(from) && !at.After(to)
	case "IS_BEFORE", "IS_BEFORE_DATE":
		return isTime && at.Before(pointOf(operation["timePoint"]))
	case "IS_AFTER", "IS_AFTER_DATE":
		return isTime && at.After(pointOf(operation["timePoint"]))
	case "IS_LESS_THAN_X_DAYS_AGO":
		return isTime && !at.After(now) && at.After(now.Add(-days))
	case "IS_MORE_THAN_X_DAYS_AGO":
		return isTime && at.Before(now.Add(-days))
	case "IS_LESS_THAN_X_DAYS_FROM_NOW":
		return isTime && !at.Before(now) && at.Before(now.Add(days))
	case "IS_MORE_THAN_X_DAYS_FROM_NOW":
		return isTime && at.After(now.Add(days))
	}
	return false
}

// pointOf reads a point in time by its day, or by a timestamp.
func pointOf(given any) time.Time {
	p := cast.Object(given)
	if ms := cast.Int(p["timestamp"]); ms != 0 {
		return time.UnixMilli(ms).UTC()
	}
	return time.Date(int(cast.Int(p["year"])), time.Month(cast.Int(p["month"])), int(cast.Int(p["day"])),
		int(cast.Int(p["hour"])), int(cast.Int(p["minute"])), int(cast.Int(p["second"])), 0, time.UTC)
}
