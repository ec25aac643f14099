package profiles_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"parity/profiles"
)

// What an editor sees while somebody types is what the reader says on save.
func TestSchemaAndReaderAgree(t *testing.T) {
	t.Parallel()
	schema := compileSchema(t)
	library, err := filepath.Glob("library/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range library {
		if err := schema.Validate(asJSON(t, file)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, name := range []string{
		"unknown-key", "unknown-rule-key", "unknown-trigger-key", "unknown-parameter", "parameter-of-another-fault", "unknown-fault",
		"data-section", "null-value", "yes-as-flag", "clock-mode", "duration-without-unit", "chance-without-sign",
		"nth-zero", "nth-as-text", "choice", "contract-name", "call-empty", "difference-aspect", "status-out-of-bounds", "no-name", "bad-name", "a-list",
	} {
		if schema.Validate(asJSON(t, "testdata/bad/"+name+".yaml")) == nil {
			t.Errorf("the reader refuses %s, and the schema does not", name)
		}
	}
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	raw, err := profiles.Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("profile.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("profile.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// asJSON reads a file as an editor does, which checks JSON values.
func asJSON(t *testing.T, file string) any {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var node yaml.Node
	if err := yaml.Unmarshal(content, &node); err != nil {
		t.Fatal(err)
	}
	return plain(t, node.Content[0])
}

func plain(t *testing.T, n *yaml.Node) any {
	t.Helper()
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(t, n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		l := []any{}
		for _, e := range n.Content {
			l = append(l, plain(t, e))
		}
		return l
	}
	if n.Tag == "!!timestamp" {
		return n.Value
	}
	var v any
	if err := n.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}
