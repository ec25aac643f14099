package exchange

import (
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"parity/gateway/ingress"
	"parity/specs/words"
)

// front tells whether somebody looks at the data port itself, at GET /, to see
// what is there. It is no call of a run.
func (x *Exchange) front() bool {
	return x.rev != nil && !x.answered && x.origin.Way == ingress.Direct && x.entry.Service == "" && x.path == "/" &&
		(x.r.Method == http.MethodGet || x.r.Method == http.MethodHead)
}

// show lists the services that are played, where each is, and how a client names
// its run.
func (x *Exchange) show() {
	here := x.scheme() + "://" + x.r.Host
	rows := [][3]string{}
	for _, name := range slices.Sorted(maps.Keys(x.rev.Bound)) {
		s, _ := x.rev.Catalogue.Service(name)
		rows = append(rows, [3]string{name, here + x.prefix + "/" + name, words.And(s.Hosts)})
	}
	const runs = "A run of one's own is at /run/NAME/SERVICE, or behind the proxy http://NAME:TOKEN@…: parity runs new NAME gives both."
	var out strings.Builder
	h := x.w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	if strings.Contains(x.r.Header.Get("Accept"), "text/html") {
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
		out.WriteString("<!doctype html><html lang=\"en\"><title>Parity</title><h1>Parity plays</h1><table>")
		for _, row := range rows {
			out.WriteString("<tr>")
			for _, cell := range row {
				out.WriteString("<td>" + html.EscapeString(cell))
			}
		}
		out.WriteString("</table><p>" + runs + "\n")
	} else {
		h.Set("Content-Type", "text/plain; charset=utf-8")
		out.WriteString("Parity plays:\n\n")
		for _, row := range rows {
			fmt.Fprintf(&out, "%-15s %-45s for %s\n", row[0], row[1], row[2])
		}
		out.WriteString("\n" + runs + "\n")
	}
	_, _ = io.WriteString(x.w, out.String()) // who has left needs no list
}
