package kit

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"parity/fakes"
)

// WritePart writes one reply of a batch that is multipart/mixed. name is the
// Content-ID of the call that it answers; "": it had none.
// Source: developers.google.com/workspace/calendar/api/guides/batch; OData 4.01, 11.7.
func WritePart(out *bytes.Buffer, boundary, name string, reply fakes.Reply) {
	out.WriteString("--" + boundary + "\r\nContent-Type: application/http\r\n")
	if name != "" {
		out.WriteString("Content-ID: " + strings.Replace(name, "<", "<response-", 1) + "\r\n")
	}
	out.WriteString("\r\nHTTP/1.1 " + strconv.Itoa(reply.Status) + " " + http.StatusText(reply.Status) + "\r\n")
	for _, name := range []string{"Etag", "Content-Type", "Location", "Vary", "Www-Authenticate", "Retry-After"} {
		if value := reply.Header.Get(name); value != "" {
			out.WriteString(name + ": " + value + "\r\n")
		}
	}
	out.WriteString("Content-Length: " + strconv.Itoa(len(reply.Body)) + "\r\n\r\n")
	out.Write(reply.Body)
	out.WriteString("\r\n")
}

// EndParts ends it.
func EndParts(out *bytes.Buffer, boundary string) { out.WriteString("--" + boundary + "--\r\n") }
