package faults

import (
	"testing"

	"parity/specs"
)

func TestPatternMatch(t *testing.T) {
	t.Parallel()
	refund := &specs.Operation{Service: "stripe", ID: "PostRefunds", Method: "POST", Path: "/v1/refunds"}
	charge := &specs.Operation{Service: "stripe", ID: "GetChargesCharge", Method: "GET", Path: "/v1/charges/{charge}"}
	note := &specs.Operation{Service: "notion", ID: "post-page", Method: "POST", Path: "/v1/pages"}
	for text, want := range map[string][3]bool{
		"*":                            {true, true, true},
		"stripe *":                     {true, true, false},
		"stripe POST /v1/refunds":      {true, false, false},
		"stripe.PostRefunds":           {true, false, false},
		"stripe.Get*":                  {false, true, false},
		"stripe GET /v1/charges/{id}":  {false, true, false},
		"stripe GET /v1/charges/{}":    {false, true, false},
		"stripe GET *":                 {false, true, false},
		"* POST /v1/*":                 {true, false, true},
		"stripe * /v1/*":               {true, true, false},
		"stripe POST /v1/refunds/{id}": {false, false, false},
		"notion.post-page":             {false, false, true},
	} {
		p, err := ParsePattern(text)
		if err != nil {
			t.Errorf("ParsePattern(%q): %v", text, err)
			continue
		}
		if got := [3]bool{p.Match(refund), p.Match(charge), p.Match(note)}; got != want {
			t.Errorf("%q matches %v; want %v", text, got, want)
		}
	}
}

func TestPatternRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "stripe", "stripe post /v1/refunds", "stripe POST v1/refunds", "a b c d", "POST /v1/refunds"} {
		if p, err := ParsePattern(text); err == nil {
			t.Errorf("ParsePattern(%q) = %v; want an error", text, p)
		}
	}
}
