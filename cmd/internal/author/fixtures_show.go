package author

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"

	"parity/cmd/internal/output"
	"parity/fakes/world"
	"parity/gateway/report"
)

// ShowFixtures prints what runs begin with, once it is known to hold, without
// what looks like a secret. Text is the files as they are written or, where
// records are generated too, YAML of the records that come of it, without what
// is empty; json is all records in full.
func ShowFixtures(w io.Writer, name, form string, seed *uint64) error {
	if err := output.TextOrJSON(form); err != nil {
		return err
	}
	source, base, made, err := makeFixtures(name, seed)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w) // keeps the first error for Flush
	switch {
	case form == "json":
		all := map[string][]map[string]any{}
		for _, collection := range made.World.Collections() {
			if records := slices.Collect(brought(base, made.World, collection)); len(records) > 0 {
				all[collection] = records
			}
		}
		return output.JSON(w, all)
	case len(source.spec.Shapes) == 0:
		for i, f := range source.spec.Files {
			if len(source.spec.Files) > 1 {
				fmt.Fprintf(out, "%s# %s\n", strings.Repeat("\n", min(i, 1)), f.Name)
			}
			fmt.Fprintln(out, strings.TrimRight(bareMask().ReplaceAllString(report.Masked(f.Content), `$1"$2"`), "\n"))
		}
	default:
		for _, collection := range made.World.Collections() {
			if err := showCollection(out, collection, brought(base, made.World, collection)); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// bareMask is what stands for a secret where it has no quotes: YAML takes it for
// an alias.
var bareMask = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([:,\[-] *)(\*\*\*)`) })

// brought walks the records of a collection that are not as they are in base,
// masked.
func brought(base, w *world.World, collection string) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		for r := range w.Oldest(collection, 0) {
			if was, there := base.Get(collection, r.ID); there && bytes.Equal(was.JSON(), r.JSON()) {
				continue
			}
			record, err := world.Decode([]byte(report.Masked(string(r.JSON()))))
			if err != nil { // what was JSON still is
				record = map[string]any{"id": r.ID}
			}
			if !yield(record) {
				return
			}
		}
	}
}

func showCollection(out *bufio.Writer, collection string, records iter.Seq[map[string]any]) error {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for record := range records {
		node, err := yamlOf(filled(record))
		if err != nil {
			return err
		}
		list.Content = append(list.Content, node)
	}
	if len(list.Content) == 0 {
		return nil
	}
	text, err := yaml.Marshal(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: collection}, list}})
	if err != nil {
		return err
	}
	_, _ = out.Write(text)
	return nil
}

// yamlOf gives a record as YAML, its id first.
func yamlOf(record map[string]any) (*yaml.Node, error) {
	node := &yaml.Node{Kind: yaml.MappingNode}
	names := slices.SortedFunc(maps.Keys(record), func(a, b string) int {
		switch {
		case a == "id" && b != "id":
			return -1
		case b == "id" && a != "id":
			return 1
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		var key, value yaml.Node
		if err := key.Encode(name); err != nil {
			return nil, err
		}
		if err := value.Encode(record[name]); err != nil {
			return nil, err
		}
		node.Content = append(node.Content, &key, &value)
	}
	return node, nil
}

// filled is a record without what is null or empty, which services fill in.
func filled(record map[string]any) map[string]any {
	kept := map[string]any{}
	for name, value := range record {
		switch v := value.(type) {
		case nil:
		case []any:
			if len(v) > 0 {
				kept[name] = filledAll(v)
			}
		case map[string]any:
			if inner := filled(v); len(inner) > 0 {
				kept[name] = inner
			}
		default:
			kept[name] = value
		}
	}
	return kept
}

func filledAll(list []any) []any {
	kept := make([]any, len(list))
	for i, one := range list {
		if inner, ok := one.(map[string]any); ok {
			one = filled(inner)
		}
		kept[i] = one
	}
	return kept
}
