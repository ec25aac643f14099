package exchange

import (
	"net/url"
	"strings"

	"parity/fakes/recording"
	"parity/faults/trail"
	"parity/gateway/live"
	"parity/specs/personal"
)

// Recorder keeps what real services answered.
type Recorder interface {
	Take(folder, service, host string, x recording.Exchange) error
}

// tape has what the real service answered kept, where the profile says so: as the
// record has it, without credentials.
func (x *Exchange) tape() {
	u := x.rev.Profile.Upstreams[x.op.Service]
	if x.replaying || u == nil || u.Record == "" || x.run.Recorder == nil {
		return
	}
	up := &x.entry.Upstream[0]
	one := recording.Exchange{
		Request:  recording.Request{Method: x.r.Method, URL: "https://" + up.Host + x.keeps.path(x.whole(x.entry.Path)), Header: fieldMap(x.entry.Header)},
		Response: recording.Response{Status: up.Status, Header: fieldMap(up.Header), Body: string(x.keeps.body(x.back))},
	}
	if query := x.keeps.query(x.entry.Query); query != "" {
		one.Request.URL += "?" + query
	}
	if len(x.entry.Body) > 0 {
		text := string(x.keeps.body(live.Reply{Body: x.entry.Body}))
		one.Request.Body = &text
	}
	if x.sight.Date != "" {
		one.Response.Header["Date"] = x.sight.Date
	}
	if err := x.run.Recorder.Take(x.rev.Profile.From(u.Record), x.op.Service, up.Host, one); err != nil {
		x.line.log.Error("what a real service answered is not recorded", "service", x.op.Service, "error", err)
		x.entry.Note = "It is not recorded: the file cannot be written."
	}
}

// path is a path without what is of people.
func (k *keeping) path(raw string) string {
	parts := strings.Split(raw, "/")
	for i, part := range parts {
		if plain, err := url.PathUnescape(part); err == nil {
			if clean := k.text(plain); clean != plain {
				parts[i] = url.PathEscape(clean)
			}
		}
	}
	return strings.Join(parts, "/")
}

// whole is a path as the service itself has it: a client's base URL may stand for
// the base path of the service's own address.
func (x *Exchange) whole(path string) string {
	if x.service.Contract.Match(x.r.Method, path).Operation != nil {
		return path
	}
	return x.op.Base() + path
}

// query is a query without what is of people.
func (k *keeping) query(raw string) string {
	pairs := strings.Split(raw, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(value)
		if err != nil {
			continue
		}
		if clean, ok := k.value("", personal.Named(name), plain).(string); ok && clean != plain {
			pairs[i] = name + "=" + url.QueryEscape(clean)
		}
	}
	return strings.Join(pairs, "&")
}

func fieldMap(list []trail.Field) map[string]string {
	all := make(map[string]string, len(list))
	for _, f := range list {
		all[f.Name] = f.Value
	}
	return all
}
