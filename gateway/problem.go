package gateway

import (
	"net/http"

	"parity/fakes"
	"parity/fakes/world"
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

func problem(w http.ResponseWriter, status int, code, message string) {
	reply := problemReply(status, code, message)
	for name, values := range reply.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(reply.Status)
	_, _ = w.Write(reply.Body) // the client may be gone; there is nobody else to tell
}
