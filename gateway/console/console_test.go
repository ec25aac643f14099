package console

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parity/fakes/clock"
)

// What would let a text of an agent's become script, markup or an address stands
// nowhere in the page; nor does what would keep its token.
func TestThePageTakesTextsAsTexts(t *testing.T) {
	t.Parallel()
	entries, err := files.ReadDir("page")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, entry := range entries {
		data, err := files.ReadFile("page/" + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		text, kind := string(data), entry.Name()[strings.LastIndex(entry.Name(), ".")+1:]
		kinds[kind]++
		never := []string{"http://", "https://", "@import", "url("}
		switch kind {
		case "js":
			never = []string{
				"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "createContextualFragment", "DOMParser", "srcdoc", "eval(", "Function(", "import(",
				"localStorage", "sessionStorage", "document.cookie", "indexedDB", "javascript:", "window.open", ".style", "postMessage",
			}
		case "html":
			never = append(never, "<style", "style=", "<script>", "javascript:")
		case "svg":
			never = []string{"<script", "href"}
		}
		if kind != "js" && regexp.MustCompile(`\son\w+\s*=`).MatchString(text) {
			t.Errorf("%s has a handler of its own", entry.Name())
		}
		for _, word := range never {
			if strings.Contains(strings.ReplaceAll(text, "https://html.spec.whatwg.org", ""), word) {
				t.Errorf("%s has %q", entry.Name(), word)
			}
		}
	}
	if kinds["js"] < 3 || kinds["html"] != 1 || kinds["css"] != 1 {
		t.Errorf("the page is made of %v", kinds)
	}
}

// Each file comes as what it is, under a policy with nothing inline.
func TestFilesComeUnderAStrictPolicy(t *testing.T) {
	t.Parallel()
	for path, kind := range map[string]string{
		"/console/": "text/html; charset=utf-8", "/console/console.html": "text/html; charset=utf-8", "/console/console.css": "text/css; charset=utf-8",
		"/console/console.js": "text/javascript; charset=utf-8", "/console/icon.svg": "image/svg+xml",
		"/console/../console.go": "", "/console/page": "", "/console/nothing.js": "", "/console//etc/passwd": "", "/console/approvals": "", "/console/.": "",
	} {
		w := httptest.NewRecorder()
		Handler().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if kind == "" {
			if w.Code != 404 {
				t.Errorf("%s: %d", path, w.Code)
			}
			continue
		}
		said := w.Header().Get("Content-Security-Policy")
		if w.Code != 200 || w.Header().Get("Content-Type") != kind || w.Body.Len() == 0 || w.Header().Get("Set-Cookie") != "" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
		for _, part := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} {
			if !strings.Contains(said, part) || strings.Contains(said, "unsafe") {
				t.Errorf("%s: its policy is %q", path, said)
			}
		}
	}
}

// A code is good once and for a minute, its token for twelve hours.
func TestACodeIsGoodOnceAndATokenForADay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewSessions(clock.System{})
		code, until := s.Code(Holder{Name: "ada", Proof: "d"})
		late, _ := s.Code(Holder{})
		if got := time.Until(until); got != time.Minute {
			t.Errorf("a code is good for %v", got)
		}
		token, until, by, ok := s.Open(code)
		if !ok || by != (Holder{Name: "ada", Proof: "d"}) || time.Until(until) != 12*time.Hour || token == code {
			t.Errorf("%q %v %v %v", token, until, by, ok)
		}
		if _, _, _, again := s.Open(code); again {
			t.Error("a code was good twice")
		}
		if _, ok := s.Holder(code); ok {
			t.Error("a code is a token")
		}
		if by, ok := s.Holder(token); !ok || by.Name != "ada" {
			t.Errorf("%v %v", by, ok)
		}
		for _, none := range []string{"", "x", token + "x", token[:5]} {
			if _, ok := s.Holder(none); ok {
				t.Errorf("%q is a token", none)
			}
		}
		time.Sleep(time.Minute)
		if _, _, _, ok := s.Open(late); ok {
			t.Error("a code was good after its minute")
		}
		time.Sleep(12 * time.Hour)
		if _, ok := s.Holder(token); ok {
			t.Error("a token was good after its day")
		}
	})
}

// Whoever asks for codes without end does not fill the memory, and takes no token
// from those who have one.
func TestCodesAreBounded(t *testing.T) {
	t.Parallel()
	s := NewSessions(clock.System{})
	code, _ := s.Code(Holder{Name: "ada"})
	token, _, _, _ := s.Open(code)
	for range 2 * most {
		s.Code(Holder{})
	}
	if n := len(s.codes); n > most {
		t.Errorf("%d codes", n)
	}
	if _, ok := s.Holder(token); !ok {
		t.Error("a token is lost")
	}
}
