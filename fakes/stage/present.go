package stage

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"parity/fakes"
	"parity/fakes/recording"
	"parity/specs"
	"parity/specs/openapi"
)

// anybody is what stands for a credential that no recording holds.
const anybody = "fidelity"

// present shows who calls as the contract of the operation wants it: recordings
// hold no credentials, or marks in their place. A call that the service refused
// for its credential shows none. A service that has a credential of its own form
// to introduce itself by is left alone.
func (s *Stage) present(e recording.Exchange, target string, header http.Header) string {
	if _, introduces := s.Service.Fake.(fakes.Introducer); introduces {
		return target
	}
	path, query, _ := strings.Cut(target, "?")
	m := s.Service.Contract.MatchCall(&specs.Call{Method: e.Request.Method, Path: path, Query: query, Header: header, Body: []byte(e.Request.Text())})
	if m.Operation == nil {
		return target
	}
	asked, err := url.ParseQuery(query)
	if err != nil {
		return target
	}
	refused := e.Response.Status == http.StatusUnauthorized
	ways := m.Operation.Source().Security()
	for i, way := range ways {
		for _, name := range way {
			scheme, ok := m.Operation.Source().API().Scheme(name)
			switch {
			case !ok:
			case refused:
				withdraw(scheme, header, asked)
			case i == 0:
				show(scheme, header, asked)
			}
		}
	}
	if len(asked) == 0 {
		return path
	}
	if refused || len(ways) > 0 && asked.Encode() != query {
		return path + "?" + asked.Encode()
	}
	return target
}

// show puts a credential where a scheme wants it, unless there is one of its kind.
func show(scheme openapi.Scheme, header http.Header, query url.Values) {
	kind, _, _ := strings.Cut(header.Get("Authorization"), " ")
	switch {
	case scheme.Type == "apiKey" && scheme.In == "query":
		if query.Get(scheme.Name) == "" {
			query.Set(scheme.Name, anybody)
		}
	case scheme.Type == "apiKey" && scheme.In == "cookie":
		if _, err := (&http.Request{Header: header}).Cookie(scheme.Name); err != nil {
			header.Add("Cookie", scheme.Name+"="+anybody)
		}
	case scheme.Type == "apiKey":
		if header.Get(scheme.Name) == "" {
			header.Set(scheme.Name, anybody)
		}
	case scheme.Type == "http" && strings.EqualFold(scheme.Scheme, "basic"):
		if !strings.EqualFold(kind, "basic") {
			header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(anybody+":"+anybody)))
		}
	case scheme.Type == "http" && scheme.Scheme != "" && !strings.EqualFold(kind, scheme.Scheme):
		header.Set("Authorization", strings.ToUpper(scheme.Scheme[:1])+scheme.Scheme[1:]+" "+anybody)
	case kind == "" && scheme.Type != "mutualTLS":
		header.Set("Authorization", "Bearer "+anybody)
	}
}

// withdraw takes a credential away.
func withdraw(scheme openapi.Scheme, header http.Header, query url.Values) {
	switch {
	case scheme.Type == "apiKey" && scheme.In == "query":
		query.Del(scheme.Name)
	case scheme.Type == "apiKey" && scheme.In == "cookie":
		header.Del("Cookie")
	case scheme.Type == "apiKey":
		header.Del(scheme.Name)
	default:
		header.Del("Authorization")
	}
}
