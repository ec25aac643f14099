package googlecalendar

import (
	"net/http"
	"sort"
	"strings"

	"parity/specs"
)

// discover describes the API as Google's discovery service does, as far as it
// is played here: a client that builds itself from it finds its methods.
// Source: developers.google.com/discovery/v1/reference/apis.
func discover(c *call) (answer, *refusal) {
	resources := map[string]any{}
	for _, op := range c.Contract.Operations {
		parts := strings.Split(op.ID, ".")
		if len(parts) != 3 || parts[0] != "calendar" || parts[1] == "batch" {
			continue
		}
		resource, _ := resources[parts[1]].(map[string]any)
		if resource == nil {
			resource = map[string]any{"methods": map[string]any{}}
			resources[parts[1]] = resource
		}
		methods, _ := resource["methods"].(map[string]any)
		methods[parts[2]] = method(op)
	}
	scopes := map[string]any{}
	for _, allowed := range scopesOf() {
		for _, scope := range allowed {
			scopes[scopeRoot+scope] = map[string]any{"description": scope}
		}
	}
	return many(map[string]any{
		"kind": "discovery#restDescription", "discoveryVersion": "v1", "id": "calendar:v3", "name": "calendar", "version": "v3", "revision": "20261030",
		"title": "Calendar API", "description": "Manipulates events and other calendar data.", "ownerDomain": "google.com", "ownerName": "Google",
		"protocol": "rest", "rootUrl": c.Base + "/", "servicePath": "calendar/v3/", "baseUrl": c.Base + "/calendar/v3/", "basePath": "/calendar/v3/",
		"batchPath": "batch/calendar/v3", "documentationLink": "https://developers.google.com/workspace/calendar/firstapp",
		"parameters": map[string]any{
			"alt": textual("query"), "fields": textual("query"), "key": textual("query"), "oauth_token": textual("query"), "quotaUser": textual("query"),
			"prettyPrint": map[string]any{"type": "boolean", "location": "query", "default": "true"},
		},
		"auth":      map[string]any{"oauth2": map[string]any{"scopes": scopes}},
		"schemas":   map[string]any{"Any": map[string]any{"id": "Any", "type": "object", "additionalProperties": map[string]any{"type": "any"}}},
		"resources": resources,
	})
}

func textual(in string) map[string]any { return map[string]any{"type": "string", "location": in} }

// method describes one operation.
func method(op *specs.Operation) map[string]any {
	parameters, order := map[string]any{}, []any{}
	declared, _ := op.Source().Parameters() // what is wrong with them, loading the contract tells
	for _, p := range declared {
		if p.In == "query" && (p.Name == "alt" || p.Name == "fields" || p.Name == "prettyPrint") {
			continue // of every method, see above
		}
		of := map[string]any{"type": "string", "location": p.In}
		if kinds := p.Schema.View().Types; len(kinds) == 1 && kinds[0] == "array" {
			of["repeated"] = true
		} else if len(kinds) == 1 {
			of["type"] = kinds[0]
		}
		if p.Required {
			of["required"] = true
		}
		if p.In == "path" {
			order = append(order, p.Name)
		}
		parameters[p.Name] = of
	}
	value := map[string]any{
		"id": op.ID, "path": strings.TrimPrefix(op.Path, "/calendar/v3/"), "flatPath": strings.TrimPrefix(op.Path, "/calendar/v3/"), "httpMethod": op.Method,
		"parameters": parameters, "parameterOrder": order,
	}
	if op.Method != http.MethodGet && op.Method != http.MethodDelete && len(op.BodyKinds()) > 0 {
		value["request"] = map[string]any{"$ref": "Any"}
	}
	if op.Method != http.MethodDelete {
		value["response"] = map[string]any{"$ref": "Any"}
	}
	scopes := []any{}
	for _, scope := range scopesOf()[op.ID] {
		scopes = append(scopes, scopeRoot+scope)
	}
	sort.Slice(scopes, func(i, j int) bool { return scopes[i].(string) < scopes[j].(string) })
	value["scopes"] = scopes
	return value
}
