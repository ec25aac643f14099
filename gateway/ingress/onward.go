package ingress

import (
	"net/http"
	"net/textproto"
	"strings"

	"parity/specs/header"
)

// onward takes off a header what is for one connection alone: what Connection
// names, and what is so by itself (RFC 9110, section 7.6.1). The upgrade to a
// WebSocket stays, which goproxy carries on, and so does that trailers are read.
func onward(h http.Header) {
	upgrade, trailers := "", listed(h["Te"], "trailers")
	if listed(h["Connection"], "upgrade") && listed(h["Upgrade"], "websocket") {
		upgrade = h.Get("Upgrade")
	}
	for _, field := range h["Connection"] {
		for name := range strings.SplitSeq(field, ",") {
			h.Del(textproto.TrimString(name))
		}
	}
	for _, name := range header.Hop() {
		h.Del(name)
	}
	if upgrade != "" {
		h.Set("Connection", "Upgrade")
		h.Set("Upgrade", upgrade)
	}
	if trailers {
		h.Set("Te", "trailers")
	}
}

// listed tells whether a header's fields, which are lists, name something.
func listed(fields []string, what string) bool {
	for _, field := range fields {
		for name := range strings.SplitSeq(field, ",") {
			if strings.EqualFold(textproto.TrimString(name), what) {
				return true
			}
		}
	}
	return false
}
