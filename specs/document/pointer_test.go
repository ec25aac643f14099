package document_test

import (
	"strings"
	"testing"

	"parity/specs/document"
)

func TestClippedTextEndsBetweenCharacters(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"abcd", "abcd"},
		{"abcde", "abcd…"},
		{"abäö", "abä…"},
		{"abc😀", "abc…"},
		{"😀😀", "😀…"},
	} {
		if got := document.Clip(test.text, 4); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestEscapedNamesAreFoundByPointer(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "a/b", "~", "~1", "~0/", "/pets/{id}"} {
		escaped := document.Escape(name)
		if strings.Contains(escaped, "/") || document.Unescape(escaped) != name {
			t.Errorf("%q is written %q and read as %q", name, escaped, document.Unescape(escaped))
		}
	}
}
