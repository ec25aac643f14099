package exchange

import (
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/world"
	"parity/faults/trail"
)

// problemReply is an answer of Parity's own, as RFC 9457 has it. Code is one
// of a closed set: metrics use it as a label.
func problemReply(status int, code, message string) fakes.Reply {
	body := map[string]any{
		"type": "about:blank", "title": http.StatusText(status), "status": int64(status), "detail": message, "parity": code,
	}
	return fakes.Reply{
		Status: status, Result: body, Body: world.Encode(body),
		Header: http.Header{"Content-Type": {"application/problem+json"}, "X-Parity-Refused": {code}},
	}
}

// violated is the answer to a request that its contract does not allow, where
// the fake has no words of its own for it.
func violated(status int, code string, all []trail.Violation) fakes.Reply {
	first := all[0]
	r := problemReply(status, code, strings.Join(strings.Fields(first.In+" "+first.Pointer+" "+first.Message), " "))
	list := make([]any, len(all))
	for i, v := range all {
		list[i] = map[string]any{"in": v.In, "pointer": v.Pointer, "rule": v.Rule, "detail": v.Message}
	}
	r.Result["errors"] = list
	r.Body = world.Encode(r.Result)
	return r
}

func problem(w http.ResponseWriter, status int, code, message string) {
	put(w, problemReply(status, code, message))
}

func put(w http.ResponseWriter, reply fakes.Reply) {
	for name, values := range reply.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(reply.Status)
	_, _ = w.Write(reply.Body) // the client may be gone; there is nobody else to tell
}
