package gateway_test

import (
	"strings"
	"testing"
)

// A rule that never fires holds nothing: each one is shown what it is against,
// and something close by that it must let through.
func TestArchitectureRulesFire(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		check func(source) []complaint
		path  string
		code  string
		want  string // part of the one complaint; "" for none
	}{
		{"up a room", checkImports, "fakes/stripe/a.go", `import "parity/faults"`, "imports run one way"},
		{"down a room", checkImports, "faults/a.go", `import "parity/fakes/world"`, ""},
		{"down several", checkImports, "cmd/parity/a.go", `import "parity/specs"`, ""},
		{"within a room", checkImports, "fakes/stripe/a.go", `import "parity/fakes/kit"`, ""},
		{"between rooms of the gateway", checkFloors, "gateway/report/a.go", `import "parity/gateway/journal"`, "do not know one another"},
		{"the exchange from a room", checkFloors, "gateway/ingress/a.go", `import "parity/gateway/exchange"`, "nor the floors above"},
		{"the root from a room", checkFloors, "gateway/report/a.go", `import "parity/gateway"`, "nor the floors above"},
		{"the root from the exchange", checkFloors, "gateway/exchange/a.go", `import "parity/gateway"`, "does not know the process"},
		{"the root from kept runs", checkFloors, "gateway/kept/a.go", `import "parity/gateway"`, "where no process is up"},
		{"kept runs from the exchange", checkFloors, "gateway/exchange/a.go", `import "parity/gateway/kept"`, "does not know runs that are kept"},
		{"kept runs from a room", checkFloors, "gateway/report/a.go", `import "parity/gateway/kept"`, "nor the floors above"},
		{"the exchange and a room from kept runs", checkFloors, "gateway/kept/a.go", `import ("parity/gateway/exchange"; "parity/gateway/verdict")`, ""},
		{"kept runs from the root and a command", checkFloors, "cmd/internal/inspect/a.go", `import ("parity/gateway"; "parity/gateway/kept")`, ""},
		{"a room from the exchange", checkFloors, "gateway/exchange/a.go", `import "parity/gateway/ingress"`, ""},
		{"the root knows them all", checkFloors, "gateway/a.go", `import ("parity/gateway/journal"; "parity/gateway/exchange"; "parity/gateway/kept")`, ""},
		{"the exchange from a command", checkFloors, "cmd/internal/author/a.go", `import "parity/gateway/exchange"`, "no business of what prints"},
		{"the root and a room from a command", checkFloors, "cmd/internal/author/a.go", `import ("parity/gateway"; "parity/gateway/report")`, ""},
		{"the exchange's namesake", checkFloors, "gateway/a.go", `import "parity/gateway/exchanges"`, ""},
		{"16 fields", checkFields, "faults/a.go", "type T struct { a, b, c, d, e, f, g, h, i, j, k, l, m, n, o int; p string }", "has 16 fields"},
		{"15 fields", checkFields, "faults/a.go", "type T struct { a, b, c, d, e, f, g, h, i, j, k, l, m, n int; T2 }", ""},

		{"second importer", checkImports, "gateway/a.go", `import "github.com/elazarl/goproxy"`, "for gateway/ingress alone"},
		{"second importer of a part", checkImports, "fakes/a.go", `import "github.com/getkin/kin-openapi/openapi3"`, "for specs/oracle alone"},
		{"second importer beside it", checkImports, "specs/a.go", `import "github.com/getkin/kin-openapi/openapi3"`, "for specs/oracle alone"},
		{"a namesake", checkImports, "fakes/a.go", `import "github.com/getkin/kin-openapi-extra"`, ""},

		{"blank import", checkBlankImports, "gateway/a.go", `import _ "image/png"`, "explicit list"},
		{"the SQLite driver elsewhere", checkBlankImports, "gateway/a.go", `import _ "modernc.org/sqlite"`, "explicit list"},
		{"the SQLite driver", checkBlankImports, "gateway/journal/a.go", `import _ "modernc.org/sqlite"`, ""},
		{"embed", checkBlankImports, "gateway/a.go", `import _ "embed"`, ""},

		{"now", checkTimeAndChance, "faults/a.go", `import "time"; var a = time.Now()`, "time.Now is for fakes/clock alone"},
		{"as a value", checkTimeAndChance, "faults/a.go", `import "time"; var a = time.Now`, "time.Now is for fakes/clock alone"},
		{"by another name", checkTimeAndChance, "faults/a.go", `import clock "time"; func f() { <-clock.After(1) }`, "time.After is for"},
		{"a duration", checkTimeAndChance, "faults/a.go", `import "time"; var a = time.Second`, ""},
		{"another package's Now", checkTimeAndChance, "faults/a.go", `import "time"; var a time.Time; var b = wall.Now()`, ""},
		{"its owner", checkTimeAndChance, "fakes/clock/a.go", `import "time"; var a = time.Now()`, ""},
		{"dice", checkTimeAndChance, "faults/a.go", `import "math/rand/v2"`, "for fakes/chance alone"},
		{"dice at their owner", checkTimeAndChance, "fakes/chance/a.go", `import "math/rand/v2"`, ""},
		{"keys", checkTimeAndChance, "gateway/ingress/a.go", `import "crypto/rand"`, ""},

		{"init", checkFunctions, "faults/a.go", `func init() {}`, "func init"},
		{"a method named init", checkFunctions, "faults/a.go", `func (t T) init() {}`, ""},
		{"60 lines", checkFunctions, "faults/a.go", "func f() {" + strings.Repeat("\n", 59) + "}", "has 60 lines"},
		{"59 lines", checkFunctions, "faults/a.go", "func f() {" + strings.Repeat("\n", 58) + "}", ""},

		{"an expression that every start compiles", checkExpressions, "faults/a.go", `import "regexp"; var a = regexp.MustCompile("a")`, "sync.OnceValue"},
		{"one within a table", checkExpressions, "faults/a.go", `import "regexp"; var a = map[string]any{"a": regexp.MustCompile("a")}`, "sync.OnceValue"},
		{"one that is compiled when it is used", checkExpressions, "faults/a.go", `import ("regexp"; "sync"); var a = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("a") })`, ""},
		{"one that does not compile", checkExpressions, "faults/a.go", `import "regexp"; func f() { _ = regexp.MustCompile("(") }`, "missing closing"},
		{"one of parts that does not compile", checkExpressions, "faults/a.go", "import \"regexp\"; func f() { _ = regexp.MustCompile(`a` + \"(\") }", "missing closing"},
		{"one that only its program knows", checkExpressions, "faults/a.go", `import "regexp"; func f(a string) { _ = regexp.MustCompile("(" + a + ")") }`, ""},

		{"four methods", checkInterfaces, "faults/a.go", `type I interface { A(); B(); C(); D() }`, "of 4 methods"},
		{"three methods", checkInterfaces, "faults/a.go", `type I interface { A(); B(); C() }`, ""},
		{"unnamed", checkInterfaces, "faults/a.go", `func f(interface { A(); B(); C(); D() }) {}`, "of 4 methods"},
		{"a constraint", checkInterfaces, "faults/a.go", `type I interface { ~int | ~int8 | ~int16 | ~int32 | ~string }`, ""},

		{"401 lines", checkLines, "faults/a.go", strings.Repeat("\n", 400), "401 lines"},
		{"400 lines", checkLines, "faults/a.go", strings.Repeat("\n", 399), ""},
		{"701 lines of test", checkLines, "faults/a_test.go", strings.Repeat("\n", 700), "701 lines"},
		{"700 lines of test", checkLines, "faults/a_test.go", strings.Repeat("\n", 699), ""},

		{"a drawer", checkName, "fakes/util/a.go", "", "package util"},
		{"a drawer's folder", checkName, "fakes/helpers/a.go", "", "package helpers"},
		{"a noun", checkName, "fakes/utility/a.go", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			name := "x"
			if strings.Contains(test.path, "/util/") {
				name = "util"
			}
			found := test.check(parse(t, test.path, "package "+name+"\n"+test.code))
			switch {
			case test.want == "" && len(found) > 0:
				t.Errorf("complains: %q", found)
			case test.want != "" && (len(found) != 1 || !strings.Contains(string(found[0]), test.want)):
				t.Errorf("complains %q, want one that says %q", found, test.want)
			}
		})
	}
}

func TestArchitectureKnowsAPackageComment(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]bool{
		"// Package a is.\npackage a":                true,
		"// Command parity is.\npackage main":        true,
		"package a":                                  false,
		"// Package a is.\n\npackage a":              false, // not attached
		"// Package other is.\npackage a":            false,
		"//go:build linux\n\npackage a\n\nvar x = 1": false,
	} {
		if got := isPackageDoc(parse(t, "a.go", content).syntax); got != want {
			t.Errorf("%q: %t, want %t", content, got, want)
		}
	}
}
