package anatomy

import (
	"strings"

	"parity/specs/openapi"
)

// bounded are the ways in which a query parameter names a bound: created_after,
// price_gte, min_age.
var bounded = []struct {
	suffix, op string
}{
	{"gte", ">="},
	{"lte", "<="},
	{"gt", ">"},
	{"lt", "<"},
	{"after", ">"},
	{"before", "<"},
	{"since", ">="},
	{"until", "<="},
	{"from", ">="},
	{"to", "<="},
	{"min", ">="},
	{"max", "<="},
	{"start", ">="},
	{"end", "<="},
	{"atleast", ">="},
	{"atmost", "<="},
}

func (in *inference) filters(p *Paging, c *call, t *thing, used map[string]bool, take taker) {
	text := func(q *openapi.Parameter) bool { kind := in.kind(q.Schema); return kind == "" || kind == "string" }
	fields := in.shape(t.record)
	if q := take(sorts, func(q *openapi.Parameter) bool { return fields.get(canon(q.Name)) == nil }); q != nil {
		if in.directs(q) {
			p.Order, p.Down = q.Name, falls(q)
		} else {
			p.Sort = q.Name
		}
	}
	if q := take(orders, func(q *openapi.Parameter) bool { return fields.get(canon(q.Name)) == nil && p.Order == "" }); q != nil {
		p.Order, p.Down = q.Name, falls(q)
	}
	if q := take(texts, func(q *openapi.Parameter) bool { return text(q) && fields.get(canon(q.Name)) == nil }); q != nil {
		p.Query = q.Name
	} else if q := take([]string{"query", "filter", "filters", "where", "conditions"}, func(q *openapi.Parameter) bool {
		kind := in.kind(q.Schema)
		return p.Body && (kind == "object" || kind == "")
	}); q != nil {
		p.Query = q.Name // a condition, or several
	}
	for i := range c.params {
		q := &c.params[i]
		if q.In != "query" || used[q.Name] {
			continue
		}
		in.filter(p, q, t, fields)
	}
}

// falls tells whether a parameter that says asc or desc is desc by default.
func falls(q *openapi.Parameter) bool {
	return strings.HasPrefix(strings.ToLower(q.Schema.View().Default.Text()), "desc")
}

// directs tells whether a parameter says asc or desc.
func (in *inference) directs(q *openapi.Parameter) bool {
	v := q.Schema.View()
	if v.Enum == nil && v.Items != nil {
		v = v.Items.View()
	}
	for i := range v.Enum.Len() {
		switch strings.ToLower(v.Enum.At(i).Text()) {
		case "asc", "desc", "ascending", "descending":
			return true
		}
	}
	return false
}

func (in *inference) filter(p *Paging, q *openapi.Parameter, t *thing, fields *shape) {
	name := canon(q.Name)
	if name == "" {
		return
	}
	if q.Style == "deepObject" || in.kind(q.Schema) == "object" {
		in.deepFilter(p, q, fields)
		return
	}
	if op := q.Name[len(q.Name)-1:]; op == "<" || op == ">" { // DateSent<=2020-01-01
		if f := fields.get(name); f != nil && in.orderly(f) {
			p.bound(q.Name, f.name, op+"=")
		}
		return
	}
	if strings.HasPrefix(q.Name, "filter[") {
		name = strings.TrimPrefix(name, "filter")
	}
	if f := fields.get(name); f != nil && in.kind(f.schema) != "object" {
		p.filter(q.Name, f.name)
		return
	}
	if field := in.inward(fields, q.Name); field != "" {
		p.filter(q.Name, field)
		return
	}
	if outer := fields.get("attributes"); outer != nil { // JSON:API
		if f := in.shape(outer.schema).get(name); f != nil {
			p.filter(q.Name, outer.name+"."+f.name)
			return
		}
	}
	if f := in.referent(fields, name); f != nil {
		p.filter(q.Name, f.name)
		return
	}
	if field, op := in.bound(fields, name); field != "" {
		p.bound(q.Name, field, op)
	}
}

// inward finds the field to which a parameter is the path: address.city,
// address[city], address__city.
func (in *inference) inward(fields *shape, name string) string {
	steps := strings.FieldsFunc(strings.ReplaceAll(name, "__", "."), func(r rune) bool { return r == '.' || r == '[' || r == ']' })
	if len(steps) < 2 || len(steps) > 4 {
		return ""
	}
	found := make([]string, 0, len(steps))
	for i, step := range steps {
		f := fields.get(canon(step))
		if f == nil {
			return ""
		}
		if object := in.kind(f.schema) == "object"; object == (i == len(steps)-1) {
			return ""
		}
		found, fields = append(found, f.name), in.shape(f.schema)
	}
	return strings.Join(found, ".")
}

func (p *Paging) filter(param, field string) {
	if p.Filters == nil {
		p.Filters = map[string]string{}
	}
	p.Filters[param] = field
}

func (p *Paging) bound(param, field, op string) {
	if p.Ranges == nil {
		p.Ranges = map[string]Range{}
	}
	p.Ranges[param] = Range{Field: field, Op: op}
}

// referent finds the field of a reference that a parameter calls by a shorter
// or a longer name: customer for customer_id.
func (in *inference) referent(fields *shape, name string) *field {
	other := name + "id"
	if stem, ok := strings.CutSuffix(name, "id"); ok && len(stem) > 2 {
		other = stem
	}
	if f := fields.get(other); f != nil {
		if kind := in.kind(f.schema); kind == "string" || kind == "integer" {
			return f
		}
	}
	return nil
}

// bound reads a name such as createdafter.
func (in *inference) bound(fields *shape, name string) (field, op string) {
	for _, b := range bounded {
		stem, ok := strings.CutSuffix(name, b.suffix)
		if !ok {
			stem, ok = strings.CutPrefix(name, b.suffix)
		}
		if !ok {
			continue
		}
		for _, try := range []string{stem, stem + "at", stem + "on", stem + "date", stem + "time", strings.TrimSuffix(stem, "date") + "at", strings.TrimSuffix(stem, "at")} {
			if f := fields.get(try); f != nil && try != "" && in.orderly(f) {
				return f.name, b.op
			}
		}
		if stem == "" && (b.suffix == "since" || b.suffix == "until" || b.suffix == "after" || b.suffix == "before") {
			for _, try := range append(updatedNames, createdNames...) {
				if f := fields.get(try); f != nil && in.orderly(f) {
					return f.name, b.op
				}
			}
		}
	}
	return "", ""
}

// orderly tells whether values of a field have an order.
func (in *inference) orderly(f *field) bool {
	switch in.kind(f.schema) {
	case "integer", "number":
		return true
	case "string":
		format := in.core(f.schema).View().Format
		name := canon(f.name)
		return format == "date-time" || format == "date" || strings.HasSuffix(name, "at") || strings.Contains(name, "date") || strings.Contains(name, "time")
	}
	return false
}

// deepFilter reads created[gte] and filter[status].
func (in *inference) deepFilter(p *Paging, q *openapi.Parameter, fields *shape) {
	name := canon(q.Name)
	shape := in.shape(q.Schema)
	own := fields.get(name)
	for i := range shape.fields {
		f := &shape.fields[i]
		param := q.Name + "[" + f.name + "]"
		if own != nil {
			for _, b := range bounded[:4] {
				if canon(f.name) == b.suffix && in.orderly(own) {
					p.bound(param, own.name, b.op)
				}
			}
			continue
		}
		if name == "filter" || name == "filters" || name == "where" {
			if of := fields.get(canon(f.name)); of != nil {
				p.filter(param, of.name)
			}
		}
	}
	if own != nil && len(p.Ranges) == 0 && in.kind(q.Schema) != "object" {
		p.filter(q.Name, own.name)
	}
}
