package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"parity/faults/trail"
)

// junitElement is what one element may have.
type junitElement struct {
	required, optional, children []string
	text                         bool
}

// junitFormat is what junit-10.xsd of Jenkins' xunit plugin says of the elements
// that we write
// (https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd).
func junitFormat() map[string]junitElement {
	note := junitElement{optional: []string{"type", "message"}, text: true}
	return map[string]junitElement{
		"testsuites": {optional: []string{"name", "time", "tests", "failures", "errors"}, children: []string{"testsuite"}},
		"testsuite": {
			required: []string{"name", "tests", "failures", "errors"},
			optional: []string{"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
			children: []string{"testsuite", "properties", "testcase", "system-out", "system-err"},
		},
		"properties": {children: []string{"property"}},
		"property":   {required: []string{"name", "value"}},
		"testcase": {
			required: []string{"name"}, optional: []string{"time", "classname", "group"},
			children: []string{"skipped", "error", "failure", "system-out", "system-err"},
		},
		"skipped": note, "error": note, "failure": note, "system-out": {text: true},
	}
}

// surefireTime is the pattern of a suite's time in that schema.
const surefireTime = `^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$`

// junitFits holds a document against the format.
func junitFits(doc []byte) error {
	format, d := junitFormat(), xml.NewDecoder(bytes.NewReader(doc))
	var open []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			of, known := format[name]
			switch {
			case !known:
				return fmt.Errorf("there is no element %s", name)
			case len(open) == 0 && name != "testsuites":
				return fmt.Errorf("%s at the top", name)
			case len(open) > 0 && !slices.Contains(format[open[len(open)-1]].children, name):
				return fmt.Errorf("%s in %s", name, open[len(open)-1])
			}
			missing := slices.Clone(of.required)
			for _, a := range token.Attr {
				if !slices.Contains(append(of.required, of.optional...), a.Name.Local) {
					return fmt.Errorf("%s has no attribute %s", name, a.Name.Local)
				}
				missing = slices.DeleteFunc(missing, func(m string) bool { return m == a.Name.Local })
				if strings.HasPrefix(name, "testsuite") && a.Name.Local == "time" && !regexp.MustCompile(surefireTime).MatchString(a.Value) {
					return fmt.Errorf("%s took %q", name, a.Value)
				}
			}
			if len(missing) > 0 {
				return fmt.Errorf("%s without %s", name, missing)
			}
			open = append(open, name)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 && !format[open[len(open)-1]].text && strings.TrimSpace(string(token)) != "" {
				return fmt.Errorf("text in %s: %s", open[len(open)-1], token)
			}
		}
	}
}

func TestJUnit(t *testing.T) {
	t.Parallel()
	type counts struct{ tests, failures, errors, skipped int }
	for name, want := range map[string]counts{
		"handled": {4, 0, 0, 0}, "failed": {4, 2, 0, 0}, "invalid": {4, 0, 1, 1}, "mute": {4, 0, 2, 2}, "mixed": {5, 0, 1, 2}, "nothing": {1, 0, 1, 0},
	} {
		var out bytes.Buffer
		if err := JUnit(&out, samples()[name]); err != nil {
			t.Fatal(err)
		}
		if err := junitFits(out.Bytes()); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out.String())
		}
		var back junitSuites
		if err := xml.Unmarshal(out.Bytes(), &back); err != nil {
			t.Fatal(err)
		}
		s := back.Suites[0]
		if got := (counts{s.Tests, s.Failures, s.Errors, s.Skipped}); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
		if len(s.Cases) != s.Tests {
			t.Errorf("%s: %d of %d cases", name, len(s.Cases), s.Tests)
		}
	}
}

// An acceptance that had expired fails a strict run: CI has to see why.
func TestExpiredAcceptanceIsACase(t *testing.T) {
	t.Parallel()
	r := sample()
	r.Differences[0].Accepted = &trail.Acceptance{By: "qa", Until: "2026-01-01", Standing: trail.Expired}
	for strict, want := range map[bool][2]int{false: {0, 1}, true: {1, 0}} {
		r.Strict = strict
		var out bytes.Buffer
		if err := JUnit(&out, r); err != nil {
			t.Fatal(err)
		}
		var back junitSuites
		if err := errors.Join(junitFits(out.Bytes()), xml.Unmarshal(out.Bytes(), &back)); err != nil {
			t.Fatal(err)
		}
		if s := back.Suites[0]; [2]int{s.Failures, s.Skipped} != want || !strings.Contains(out.String(), "until 2026-01-01, which had passed") {
			t.Errorf("strict %v: %s", strict, out.String())
		}
		if results := sarifOf(t, r).Results; len(results) != 1 || results[0].RuleID != "difference.no-settlement" || (results[0].Level == "error") != strict {
			t.Errorf("strict %v: %+v", strict, results)
		}
	}
}

// What came over the wire is no character of XML, or no character at all.
func TestFormatsOfAnyText(t *testing.T) {
	t.Parallel()
	schema := compiled(t, Schema())
	for _, text := range []string{"\x00\x01\x1b[2J", "\xff\xfe", "\ufffe\uffff", "\u202e]]>&<\"'", "", strings.Repeat("é\n", 10_000)} {
		r := hostile(text)
		var out bytes.Buffer
		if err := JUnit(&out, r); err != nil {
			t.Fatal(err)
		}
		if err := junitFits(out.Bytes()); err != nil {
			t.Errorf("%.20q: %v", text, err)
		}
		_ = sarifOf(t, r)
		r.Operations[0].Fidelity = nil // hostile makes one up
		out.Reset()
		if err := JSON(&out, r); err != nil {
			t.Fatal(err)
		}
		doc, err := validator.UnmarshalJSON(&out)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

// A person in CI sees the case, and nothing else of the report.
func TestJUnitFailureSaysAll(t *testing.T) {
	t.Parallel()
	r := sample()
	failing(&r)
	r.Verdicts[0].At = &trail.Place{File: "rough.yaml", Line: 12, Column: 3}
	r.Verdicts[1].Kind, r.Verdicts[1].Grades = "expectation", "order"
	var out bytes.Buffer
	if err := JUnit(&out, r); err != nil {
		t.Fatal(err)
	}
	golden(t, "failed.junit.xml", out.Bytes())
}
