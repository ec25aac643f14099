// Package console is a page in a browser for whoever decides: what waits for a
// person, what it would do, and yes or no.
//
//	parity console ─ control token ─► POST /v1/console/codes ─► a code, once, 60 s
//	      │
//	      └► http://127.0.0.1:PORT/console/#code=…      a fragment, which is sent nowhere
//	              │
//	              └ page ─► POST /v1/console/tokens ─► a token, in the page's memory alone
//	                  │
//	                  └────► GET /v1/approvals, POST …/decision
//
// The page is files, the same for all, with no secret in them. It keeps its token
// in no cookie and no storage, so that nothing that a browser does by itself is
// let in, and it ends with its tab. What it shows comes from agents, and so from
// anybody: it is put into the page as text, and nothing of it is run, followed or
// fetched.
package console

import (
	"embed"
	"net/http"
	"path"
	"strings"
)

//go:embed page
var files embed.FS

// policy is what the page may do, as browsers enforce it: its own files and its own
// server; nothing inline, and no text that becomes script or markup.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// kindOf is the content type of a file, which is not left to the machine; "" where
// it is not one of the page's.
func kindOf(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return ""
}

// Handler answers GET below /console/ with the page's files.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/console/")
		if name == "" {
			name = "console.html"
		}
		text, err := files.ReadFile("page/" + name)
		kind := kindOf(name)
		if err != nil || kind == "" {
			http.Error(w, "no such file; the page is at /console/", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Cache-Control", "no-cache") // the next version's page is the next gateway's
		_, _ = w.Write(text)                        // whoever has left needs no answer
	})
}
