package body

import "testing"

func TestToUTF8(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ kind, text, want string }{
		{"application/json", "\"ä\"", "\"ä\""},
		{"application/json; charset=UTF-8", "ä", "ä"},
		{"application/json; charset=\"utf-8\"", "ä", "ä"},
		{"text/plain; charset=iso-8859-1", "\xe4\x80", "ä\u0080"},
		{"text/plain; charset=ISO-8859-15", "\xa4", "€"},
		{"text/plain;charset=windows-1252", "\x80", "€"},
		{"text/plain; charset=utf-16", "\xff\xfea\x00", "a"},
		{"text/plain; charset=utf-16", "\x00a", "a"},
		{"text/plain; charset=utf-16le", "a\x00", "a"},
		{"text/plain; charset=utf-16be", "\xfe\xff\x00a", "a"},
		{"text/plain; charset=utf-32", "\x00\x00\x00a", "a"},
		{"text/plain; charset=Shift_JIS", "\x83\x65", "テ"},
		{"text/plain; boundary=x", "\xff", "\xff"},
		{"text/plain; q", "\xff", "\xff"},
	} {
		got, wrong := ToUTF8([]byte(test.text), test.kind)
		if wrong != nil || string(got) != test.want {
			t.Errorf("%s of %q gives %q, %v", test.kind, test.text, got, wrong)
		}
	}
}

func TestToUTF8Refuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ kind, text, rule string }{
		{"text/plain; charset=klingon", "a", RuleContentType},
		{"text/plain; charset=utf-8; foo", "a", RuleContentType},
		{"text/plain; charset=utf-8; charset=utf-16", "a", RuleContentType},
		{"text/plain; charset=iso-2022-kr", "a", RuleContentType},
		{"text/plain; charset=utf-16", "abc", RuleSyntax},
		{"text/plain; charset=utf-32", "abc", RuleSyntax},
		{"text/plain; charset=shift_jis", "\x83", RuleSyntax},
	} {
		if got, wrong := ToUTF8([]byte(test.text), test.kind); wrong == nil || wrong.Rule != test.rule {
			t.Errorf("%s of %q gives %q, %v", test.kind, test.text, got, wrong)
		}
	}
}
