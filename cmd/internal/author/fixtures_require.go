package author

import (
	"fmt"

	"parity/fakes/expression"
	"parity/fakes/fixture"
)

// require holds what was made against conditions, and says which do not hold.
func (l *linted) require(conditions []string) []error {
	if len(conditions) == 0 {
		return nil
	}
	var all []error
	vars := l.vars()
	for _, source := range conditions {
		if why := unmet(source, vars); why != "" {
			all = append(all, &fixture.Problem{File: "--require", Message: source + " " + why})
		}
	}
	return all
}

// unmet says why a condition does not hold; "": it does.
func unmet(source string, vars map[string]any) string {
	condition, err := expression.Compile(source, expression.Bool, expression.Env{"tags", "collections", "fields"})
	if err != nil {
		return "is no condition: " + err.Error()
	}
	holds, err := condition.Bool(vars)
	switch side := condition.Compared(); {
	case err != nil:
		return "cannot be evaluated: " + err.Error()
	case holds:
		return ""
	case side != nil:
		if value, err := side.Value(vars); err == nil {
			return fmt.Sprintf("does not hold: %s is %v", side, value)
		}
	}
	return "does not hold"
}

// vars is what was made as conditions speak of it.
func (l *linted) vars() map[string]any {
	tags, collections, fields := map[string]any{}, []any{}, []any{}
	for tag, n := range l.Tags {
		tags[tag] = int64(n)
	}
	for _, c := range l.Collections {
		collections = append(collections, map[string]any{"collection": c.Name, "records": int64(c.Records)})
		for _, f := range c.Fields {
			types := make([]any, len(f.Types))
			for i, t := range f.Types {
				types[i] = t
			}
			fields = append(fields, map[string]any{
				"collection": c.Name, "field": f.Name, "records": int64(c.Records), "filled": f.Filled, "types": types, "distinct": int64(f.Distinct),
				"repeated": int64(f.Repeated), "shortest": int64(f.Shortest), "median": int64(f.Median), "longest": int64(f.Longest),
				"short": int64(f.Short), "long": int64(f.Long), "several": int64(f.Several), "early": int64(f.Early), "foreign": f.Foreign, "oldest": f.Oldest, "newest": f.Newest,
			})
		}
	}
	return map[string]any{"tags": tags, "collections": collections, "fields": fields}
}
