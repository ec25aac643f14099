package specs

import (
	"fmt"
	"slices"
	"strings"

	"parity/specs/document"
	"parity/specs/schema"
)

// discriminated lets the value of one property choose the shape; a value that
// names none leaves the choice to the shapes themselves, for documents are
// often less exact than the rule.
func discriminated(v *schema.View, list []*schema.Schema, branches []any) any {
	name := v.Discriminator.Property
	var otherwise any = map[string]any{"anyOf": branches}
	taken := map[any]bool{}
	for i := len(list) - 1; i >= 0; i-- {
		values := slices.DeleteFunc(choices(v.Discriminator, list[i]), func(value any) bool { return taken[value] })
		if len(values) == 0 {
			continue
		}
		for _, value := range values {
			taken[value] = true
		}
		otherwise = map[string]any{
			"if":   map[string]any{"properties": map[string]any{name: map[string]any{"enum": values}}, "required": []any{name}},
			"then": branches[i], "else": otherwise,
		}
	}
	if len(taken) == 0 {
		return nil
	}
	return otherwise
}

// choices gives the values by which a shape is chosen: those that are mapped to
// it, else those that it declares, else its name.
func choices(d *schema.Discriminator, of *schema.Schema) []any {
	var values []any
	for value, to := range d.Mapping {
		if to.Target() == of.Target() {
			values = append(values, value)
		}
	}
	if len(values) > 0 {
		slices.SortFunc(values, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		return values
	}
	own := propertyOf(of.View(), d.Property, map[*schema.View]bool{}, 0)
	if own != nil {
		if view := own.View(); view.Enum.Len() > 0 {
			for i := range view.Enum.Len() {
				if value := view.Enum.At(i); value.Is(document.String) {
					values = append(values, value.Text())
				}
			}
			return values
		} else if view.Const.Is(document.String) {
			return []any{view.Const.Text()}
		}
	}
	if name := of.Name(); name != "" && of.Referred() {
		values = append(values, name)
	}
	return values
}

// propertyOf finds a property in a schema or in those that it is made of.
func propertyOf(v *schema.View, name string, met map[*schema.View]bool, depth int) *schema.Schema {
	if met[v] || depth > deepestMade {
		return nil
	}
	met[v] = true
	if found := v.Get(name); found != nil {
		return found
	}
	for _, part := range v.AllOf {
		if found := propertyOf(part.View(), name, met, depth+1); found != nil {
			return found
		}
	}
	return nil
}
