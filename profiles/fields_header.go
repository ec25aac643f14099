package profiles

import (
	"slices"
	"strings"

	"parity/fakes/expression"
)

// header refuses the name of a header that no request can have, or that is
// nearly the name of one that is known: clients may send others.
func (r *speaking) header(read expression.Read) {
	name := read.Steps[len(read.Steps)-1]
	known := r.b.headers()
	if slices.Contains(known, name) {
		return
	}
	at := r.it.place
	if read.Line == 1 {
		at = r.it.at(read.Column)
	}
	if lower := strings.ToLower(name); lower != name {
		r.b.wrong(at, "did you mean "+lower, "%s: the names of headers are in lower case, and %s is not", r.key, shorten(name))
		return
	}
	for _, word := range known {
		if len(name) > 4 && distance(strings.ReplaceAll(name, "_", "-"), word) <= 1 {
			r.b.wrong(at, "did you mean "+word, "%s: no request has a header %s", r.key, shorten(name))
			return
		}
	}
}

// headers are those that clients send, and those of the contracts.
func (b *binder) headers() []string {
	known := []string{
		"accept", "accept-encoding", "accept-language", "authorization", "cache-control", "connection", "content-encoding", "content-length",
		"content-type", "cookie", "date", "expect", "host", "if-match", "if-modified-since", "if-none-match", "if-unmodified-since", "origin",
		"prefer", "range", "referer", "traceparent", "tracestate", "user-agent", "via", "x-api-key", "x-correlation-id", "x-forwarded-for",
		"x-forwarded-host", "x-forwarded-proto", "x-request-id", "x-trace-id", "baggage",
	}
	for _, op := range b.ops {
		for _, name := range append(op.Form("header").Names(), op.Anatomy.Key) {
			if name = strings.ToLower(name); name != "" && !slices.Contains(known, name) {
				known = append(known, name)
			}
		}
	}
	return known
}
