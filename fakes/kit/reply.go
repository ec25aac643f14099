package kit

import (
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/world"
)

// RecordReply answers with a record as it is stored: nothing is encoded.
func RecordReply(status int, header http.Header, r *world.Record) fakes.Reply {
	return fakes.Reply{Status: status, Header: header, Body: r.JSON(), Result: r.Value()}
}

// ValueReply answers with a value made for this call.
func ValueReply(status int, header http.Header, value map[string]any) fakes.Reply {
	return fakes.Reply{Status: status, Header: header, Body: world.Encode(value), Result: value}
}

// PageReply answers with a page in an envelope, under the key items. The
// stored bytes of the records are used as they are.
func PageReply(header http.Header, envelope map[string]any, items string, p Page) fakes.Reply {
	envelope[items] = p.Records
	body := world.Encode(envelope)
	envelope[items] = Values(p.Records)
	return fakes.Reply{Status: http.StatusOK, Header: header, Body: body, Result: envelope}
}

// Values gives what the records of a page hold.
func Values(records []*world.Record) []any {
	values := make([]any, len(records))
	for i, r := range records {
		values[i] = r.Value()
	}
	return values
}

// Headers makes headers from pairs of canonical name and value; a pair without
// a value is left out.
func Headers(pairs ...string) http.Header {
	h := make(http.Header, len(pairs)/2)
	values := make([]string, len(pairs)/2) // one allocation for all
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		at := i / 2
		values[at] = pairs[i+1]
		h[pairs[i]] = values[at : at+1 : at+1]
	}
	return h
}

// Path fills the parameters of a path template.
func Path(template string, parameters map[string]string) string {
	if !strings.Contains(template, "{") {
		return template
	}
	for name, value := range parameters {
		template = strings.Replace(template, "{"+name+"}", value, 1)
	}
	return template
}
