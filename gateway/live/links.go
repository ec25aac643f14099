package live

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Home leads the links of a JSON body back to where the client reached the service,
// which is what base says; a client that follows them would leave by itself else.
// A link is a whole text, not a name, that is an address at one of the service's
// hosts whose path begins as one of the contract's does: next, url, _links,
// @odata.nextLink. What stands within a text stays, as does an address at another
// host or beside the API, such as a page for people. A client that came by one of
// the hosts gets the bytes that came.
func (s *Service) Home(base string, body []byte) []byte {
	if !s.away(base) || !slices.ContainsFunc(s.Hosts, func(host string) bool { return bytes.Contains(body, []byte(host)) }) {
		return body
	}
	if !json.Valid(body) {
		return body
	}
	var out []byte
	from := 0
	for at := bytes.IndexByte(body, '"'); at >= 0; {
		end := closing(body, at)
		text := body[at+1 : end]
		if origin := s.origin(text); origin > 0 && !names(body[end+1:]) {
			lead := base
			if bytes.HasPrefix(text, []byte(`http:\/\/`)) || bytes.HasPrefix(text, []byte(`https:\/\/`)) {
				lead = strings.ReplaceAll(base, "/", `\/`)
			}
			out = append(append(out, body[from:at+1]...), lead...)
			from = at + 1 + origin
		}
		next := bytes.IndexByte(body[end+1:], '"')
		if next < 0 {
			break
		}
		at = end + 1 + next
	}
	if from == 0 {
		return body
	}
	return append(out, body[from:]...)
}

// closing gives where a text of valid JSON ends that begins at a quotation mark.
func closing(body []byte, at int) int {
	for at++; body[at] != '"'; at++ {
		if body[at] == '\\' {
			at++
		}
	}
	return at
}

// names tells whether the text before is the name of a field.
func names(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) > 0 && rest[0] == ':'
}

// away tells whether links that lead to the service's hosts lead elsewhere than to
// where a client with that base came.
func (s *Service) away(base string) bool {
	u, err := url.Parse(base)
	return err == nil && base != "" && (!s.within(u.Host) || u.Scheme+"://"+u.Host != base)
}

// origin gives how much of a text, as JSON has it, is scheme and host of a link to
// the service's API; 0 where it is none.
func (s *Service) origin(text []byte) int {
	if len(text) > longestLink || !bytes.HasPrefix(text, []byte("http")) || bytes.IndexByte(text, ' ') >= 0 {
		return 0
	}
	var plain string
	if json.Unmarshal(slices.Concat([]byte{'"'}, text, []byte{'"'}), &plain) != nil || !s.links(plain) {
		return 0
	}
	rest := plain[strings.Index(plain, "://")+3:]
	host := len(rest)
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		host = end
	}
	begun := bytes.Index(text, []byte(rest[:host]))
	if begun < 0 { // its host is escaped
		return 0
	}
	return begun + host
}

const longestLink = 8 << 10

// links tells whether an address is one of the service's API.
func (s *Service) links(address string) bool {
	address, _, _ = strings.Cut(address, "{") // a template's variables
	if strings.ContainsAny(address, "\r\n\t") {
		return false
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || !s.within(u.Host) {
		return false
	}
	path := u.EscapedPath()
	return s.begins(path) || s.known(path)
}

// known tells whether the contract has operations at a path.
func (s *Service) known(path string) bool {
	m := s.Contract.Match(http.MethodGet, path)
	return m.Operation != nil || len(m.Allowed) > 0
}

// begins tells whether a path's first segment is that of one of the contract's.
func (s *Service) begins(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first != "" && s.firsts()[first]
}

// firsts are the first segments of the contract's paths that are no parameters.
func (s *Service) firsts() map[string]bool {
	s.begun.Do(func() {
		s.segments = map[string]bool{}
		for _, op := range s.Contract.Operations {
			first, _, _ := strings.Cut(strings.TrimPrefix(op.Path, "/"), "/")
			if first, _, _ = strings.Cut(first, "?"); first != "" && !strings.Contains(first, "{") {
				s.segments[first] = true
			}
		}
	})
	return s.segments
}

// led is a header's text whose links lead to where the client reached the service.
func (s *Service) led(base, value string) string {
	if !s.away(base) {
		return value
	}
	for _, host := range s.Hosts {
		for _, scheme := range []string{"https://", "http://"} {
			value = strings.ReplaceAll(value, scheme+host+"/", base+"/")
		}
	}
	return value
}

// Abroad is a query of which values that lead to where the client reached the service
// lead to the service itself, as it gave them out.
func (s *Service) Abroad(base, asked, query string) string {
	if !s.away(base) || !strings.Contains(query, "%3A%2F%2F") && !strings.Contains(query, "://") {
		return query
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(value)
		if rest, ok := strings.CutPrefix(plain, base+"/"); ok && err == nil {
			pairs[i] = name + "=" + url.QueryEscape("https://"+s.At(asked)+"/"+rest)
		}
	}
	return strings.Join(pairs, "&")
}
