package series

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParseMatrix(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a.yaml", "b.yaml", "c.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, b := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml")
	for _, c := range []struct {
		patterns, want []string
		wrong          string
	}{
		{[]string{"lost-charge,stripe", "stripe"}, []string{"lost-charge", "stripe"}, ""},
		{[]string{filepath.Join(dir, "*.yaml"), "lost-charge"}, []string{a, b, "lost-charge"}, ""},
		{[]string{"lost-*"}, []string{"lost-charge", "lost-replies"}, ""},
		{[]string{"nobody-*"}, nil, "no profile of the library"},
		{[]string{"a,"}, nil, "between two commas"},
		{[]string{"[a"}, nil, "is no pattern"},
	} {
		got, err := ParseMatrix(c.patterns)
		if !slices.Equal(got, c.want) || (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%q: %q, %v", c.patterns, got, err)
		}
	}
}

func TestManyRunsThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		seeds  string
		repeat int
		want   string
	}{
		{"5..1", 1, "as in 1..20"},
		{"a", 1, "as in 1..20"},
		{"1..", 1, "as in 1..20"},
		{"1,,2", 1, "as in 1..20"},
		{"-1", 1, "as in 1..20"},
		{"1..18446744073709551615", 1, "more than 10000 runs"},
		{"1..101", 100, "more than 10000 runs"},
		{"", 1 << 40, "more than 10000 runs"},
	} {
		o := Trials{Seeds: c.seeds, Repeat: c.repeat, Output: "text", Out: io.Discard}
		if _, err := RunTrials(t.Context(), o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %d times: %v", c.seeds, c.repeat, err)
		}
	}
}
