package specs

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// hostile makes a contract of one operation that takes what the schema A says.
func hostile(t *testing.T, schemas string) *Contract {
	t.Helper()
	text := `{"openapi": "3.0.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": {"operationId": "make",
		"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}, "responses": {"201": {"description": "made",
		"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}}}}}, "components": {"schemas": {` + schemas + `}}}`
	c, _, err := Load(fstest.MapFS{"a.json": {Data: []byte(text)}}, "a.json", "x")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// soon runs what once took for ever; where it does again, the test binary's own
// time limit ends it.
func soon(t *testing.T, what func()) {
	t.Helper()
	began := time.Now()
	what()
	t.Logf("it took %v", time.Since(began))
}

func read(c *Contract, body string) []Violation {
	_, found := c.Operations[0].Read(Request{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)})
	return found
}

// An expression of expressions: each level of a body doubles what has to be
// tried, for which of the two is meant is seen only at its end.
func TestABodyAsDeepAsAllowedIsJudgedAtOnce(t *testing.T) {
	t.Parallel()
	for _, choice := range []string{"oneOf", "anyOf", "allOf"} {
		t.Run(choice, func(t *testing.T) {
			t.Parallel()
			c := hostile(t, `"A": {"`+choice+`": [{"$ref": "#/components/schemas/And"}, {"$ref": "#/components/schemas/Or"}]},
				"And": {"type": "object", "properties": {"of": {"$ref": "#/components/schemas/A"}, "op": {"type": "string"}}},
				"Or": {"type": "object", "properties": {"of": {"$ref": "#/components/schemas/A"}, "or": {"type": "string"}}}`)
			for _, depth := range []int{3, 60} {
				body := strings.Repeat(`{"of": `, depth) + `{"op": 1, "or": 1}` + strings.Repeat("}", depth)
				soon(t, func() {
					found := read(c, body)
					if len(found) == 0 {
						t.Errorf("%d deep: it is taken", depth)
					}
				})
			}
		})
	}
}

func TestSchemasThatMeetAgainAndAgainAreReadOnce(t *testing.T) {
	t.Parallel()
	for _, choice := range []string{"oneOf", "anyOf", "allOf"} {
		t.Run(choice, func(t *testing.T) {
			t.Parallel()
			var schemas strings.Builder
			for i := range 40 {
				for _, x := range "AB" {
					fmt.Fprintf(&schemas, `"%c%s": {"%s": [{"$ref": "#/components/schemas/A%[4]d"}, {"$ref": "#/components/schemas/B%[4]d"}],
						"properties": {"%[1]c%[4]d": {"type": "string", "readOnly": true}}, "required": ["%[1]c%[4]d"]},`,
						x, map[bool]string{true: "", false: fmt.Sprint(i)}[i == 0], choice, i+1)
				}
			}
			c := hostile(t, schemas.String()+`"A40": {"type": "object", "properties": {"pin": {"type": "string", "format": "password"}}}, "B40": {"type": "object"}`)
			soon(t, func() {
				read(c, `{"a": {"a": 1}, "pin": "1234"}`)
				op := c.Operations[0]
				op.CheckReply(201, "application/json", []byte(`{"a": 1}`))
				op.Undeclared(Input{Body: object{"a": object{"a": 1}, "pin": "1234"}})
				if clean, _ := op.Redact(object{"pin": "1234"}, Plainly).(object); clean["pin"] != Redacted {
					t.Errorf("a secret forty schemas away is kept: %v", clean)
				}
				c.Check()
			})
		})
	}
}

func TestALongEnumIsNotCopiedToEachUseOfIt(t *testing.T) {
	t.Parallel()
	var fields, values strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&fields, `"p%d": {"$ref": "#/components/schemas/E"},`, i)
		fmt.Fprintf(&values, `"v%d",`, i)
	}
	c := hostile(t, `"A": {"type": "object", "properties": {`+fields.String()+`"z": {}}}, "E": {"type": "string", "enum": [`+values.String()+`"z"]}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if found := read(c, `{"p1": "no", "p2": "z"}`); len(found) != 1 || found[0].Pointer != "/p1" || found[0].Rule != RuleEnum {
		t.Errorf("found %v", found)
	}
	runtime.ReadMemStats(&after)
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 200 {
		t.Errorf("%d MB", used)
	}
}

// A name as long as a body, with as many items in it as that leaves room for.
func TestALongNameWithManyItemsIsReadAtOnce(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("n", 4<<20)
	c := hostile(t, `"A": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}`)
	for what, items := range map[string]string{"right": `"",`, "wrong": `0,`} {
		soon(t, func() {
			body := `{"` + name + `": [` + strings.Repeat(items, 200_000) + `""]}`
			found := read(c, body)
			if (len(found) == 0) != (what == "right") {
				t.Errorf("%s: %d violations", what, len(found))
			}
			for _, v := range found {
				if len(v.Pointer) > 2*longestStep {
					t.Errorf("a pointer of %d bytes", len(v.Pointer))
				}
			}
		})
	}
	soon(t, func() {
		items := make([]any, 200_000)
		for i := range items {
			items[i] = object{}
		}
		c.Operations[0].Undeclared(Input{Body: object{name: items}})
	})
}

func TestPatternsThatNeverEndAreGivenUp(t *testing.T) {
	t.Parallel()
	c := hostile(t, `"A": {"type": "array", "items": {"type": "string", "pattern": "^(?!b)(a+)+$"}}`)
	body := "[" + strings.Repeat(`"`+strings.Repeat("a", 40)+`!", `, 1000) + `""]`
	soon(t, func() { read(c, body) })
}

func TestServersWhoseVariablesHoldVariables(t *testing.T) {
	t.Parallel()
	var variables strings.Builder
	for i := range 60 {
		fmt.Fprintf(&variables, `"v%d": {"default": "{v%d}{v%[2]d}", "enum": ["{v%[2]d}{v%[2]d}"]},`, i, i+1)
	}
	for _, address := range []string{"https://x.test/{v0}", "https://{v0}.x.test/", "/" + strings.Repeat("{v0}", 100_000)} {
		text := `{"openapi": "3.0.0", "servers": [{"url": "` + address + `", "variables": {` + variables.String() + `"w": {}}}], "paths": {"/a": {"get": {}}}}`
		soon(t, func() {
			if _, _, err := Load(fstest.MapFS{"a.json": {Data: []byte(text)}}, "a.json", "x"); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestPathsThatReferToOnePathAgainAndAgain(t *testing.T) {
	t.Parallel()
	var paths, parameters strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&paths, `"/p%d": {"$ref": "#/x-path"},`, i)
	}
	for i := range 5000 {
		fmt.Fprintf(&parameters, `{"name": "p%d", "in": "query"},`, i)
	}
	text := `{"openapi": "3.0.0", "x-path": {"get": {}, "put": {}, "parameters": [` + parameters.String() + `{}]}, "paths": {` + paths.String() + `"/z": {}}}`
	soon(t, func() {
		_, found, err := Load(fstest.MapFS{"a.json": {Data: []byte(text)}}, "a.json", "x")
		if err != nil {
			t.Fatal(err)
		}
		if len(found) != 1 || found[0].Code != "too-many" {
			t.Errorf("found %v", found)
		}
	})
}

func TestManyPathsOfOneShape(t *testing.T) {
	t.Parallel()
	var paths strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&paths, `"/{a}x%d": {"get": {"operationId": "o%[1]d"}},`, i)
	}
	soon(t, func() {
		c, _, err := Load(fstest.MapFS{"a.json": {Data: []byte(`{"openapi": "3.0.0", "paths": {` + paths.String() + `"/{b}": {"get": {"operationId": "any"}}}}`)}}, "a.json", "x")
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]string{"/yx7": "o7", "/yx77": "o77", "/y": "any"} {
			if m := c.Match("GET", path); m.Operation == nil || m.Operation.ID != want {
				t.Errorf("%s is %v; want %s", path, m.Operation, want)
			}
		}
	})
}

func TestWhatADocumentSaysDoesNotSteerATerminal(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	text := `{"openapi": "3.0.0", "paths": {"/a": {"$ref": "\u001b[2J\r\n.yaml"}, "/` + long + `": 3, "/c\u0007": {"$ref": "#/nothing"}}}`
	_, found, err := Load(fstest.MapFS{"a.json": {Data: []byte(text)}}, "a.json", "x")
	if err != nil || len(found) != 3 {
		t.Fatalf("%v %v", found, err)
	}
	for _, d := range found {
		if line := d.String() + d.Pointer; strings.ContainsAny(line, "\x1b\r\n\x07") || len(line) > 4*longestMessage {
			t.Errorf("%d bytes: %.200q", len(line), line)
		}
	}
}

func TestASecretIsHiddenHoweverDeepItStands(t *testing.T) {
	t.Parallel()
	schema := `{"type": "object", "properties": {"pin": {"type": "string", "format": "password"}}}`
	body := object{"pin": "canary", "own": "kept"}
	var value any = body
	for range 12 {
		schema = `{"allOf": [{"type": "object", "properties": {"in": ` + schema + `}}, {"type": "object", "properties": {"own": {"type": "string"}}}]}`
		value = object{"in": value, "own": "kept"}
	}
	c := hostile(t, `"A": `+schema)
	clean := fmt.Sprint(c.Operations[0].Redact(value, Plainly))
	if strings.Contains(clean, "canary") {
		t.Errorf("the secret is kept: %s", clean)
	}
	if n := strings.Count(clean, "own:kept"); n != 12 {
		t.Errorf("%d of 12 fields that the contract names are kept: %s", n, clean)
	}
}

func TestAChainOfSchemasEndsBeforeTheStackDoes(t *testing.T) {
	t.Parallel()
	for name, link := range map[string]string{"fields": `"properties": {"a": %s}`, "parts": `"allOf": [%s]`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var schemas strings.Builder
			at := "A"
			for i := range 20_000 {
				next := fmt.Sprintf("S%d", i)
				fmt.Fprintf(&schemas, `"%s": {`+link+`},`, at, `{"$ref": "#/components/schemas/`+next+`"}`)
				at = next
			}
			c := hostile(t, schemas.String()+`"`+at+`": {}`)
			soon(t, func() {
				read(c, `{"a": {"a": 1}}`)
				c.Operations[0].Undeclared(Input{Body: object{"a": object{"a": 1}}})
				c.Operations[0].Redact(object{"a": object{"a": 1}}, Plainly)
			})
		})
	}
}
