package specs

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
	"go.yaml.in/yaml/v4"
)

// convert turns a document that did not load as OpenAPI 3 into one, if it says
// that it is Swagger 2.0; else it gives the reason why it did not load.
func convert(loader *openapi3.Loader, data []byte, location *url.URL, reason error) (*openapi3.T, error) {
	var version struct {
		Swagger string `yaml:"swagger"`
	}
	if err := yaml.Unmarshal(data, &version); err != nil || version.Swagger != "2.0" {
		if reason == nil {
			reason = errors.New(`this is no OpenAPI document: it wants a field "openapi" (3.0, 3.1 or 3.2), or "swagger" (2.0)`)
		}
		return nil, reason
	}
	var tree any
	if err := yaml.Unmarshal(data, &tree); err != nil {
		return nil, fmt.Errorf("swagger 2.0: %w", err)
	}
	text, err := json.Marshal(named(tree))
	if err != nil {
		return nil, fmt.Errorf("swagger 2.0: %w", err)
	}
	var old openapi2.T
	if err := json.Unmarshal(text, &old); err != nil {
		return nil, fmt.Errorf("swagger 2.0: %w", err)
	}
	doc, err := openapi2conv.ToV3WithLoader(&old, loader, location)
	if err != nil {
		return nil, fmt.Errorf("swagger 2.0: %w", err)
	}
	return doc, nil
}

// named writes every key of a YAML tree as a string: status codes are numbers
// there, and JSON has no such keys.
func named(tree any) any {
	switch node := tree.(type) {
	case map[string]any:
		for key, value := range node {
			node[key] = named(value)
		}
	case map[any]any:
		out := make(map[string]any, len(node))
		for key, value := range node {
			out[fmt.Sprint(key)] = named(value)
		}
		return out
	case []any:
		for i := range node {
			node[i] = named(node[i])
		}
	}
	return tree
}
