package ingress

import (
	"net/http"
	"strconv"
	"strings"
)

// malformed finds what makes a request of HTTP/2 one that two readers could
// take for two, as the screen does on HTTP/1: net/http lets these pass.
func malformed(r *http.Request) error {
	if r.ProtoMajor < 2 {
		return nil
	}
	if !token(r.Method) {
		return framingError("the method is not a token")
	}
	switch hosts := r.Header["Host"]; {
	case len(hosts) > 1:
		return framingError("Host is given more than once")
	case len(hosts) == 1 && hosts[0] != r.Host: // RFC 9113, section 8.3.1
		return framingError("Host is not what :authority says")
	default:
		delete(r.Header, "Host") // as on HTTP/1
	}
	switch lengths := r.Header["Content-Length"]; {
	case len(lengths) > 1:
		return framingError("Content-Length is given more than once")
	case len(lengths) == 1:
		// Where it is no number, or the stream has ended, net/http says 0.
		if n, err := strconv.ParseUint(lengths[0], 10, 63); err != nil || int64(n) != r.ContentLength {
			return framingError("Content-Length is not the length of the body")
		}
	}
	return nil
}

// token tells whether s is a token (RFC 9110, section 5.6.2).
func token(s string) bool {
	const marks = "!#$%&'*+-.^_`|~"
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte(marks, c) >= 0:
		default:
			return false
		}
	}
	return s != ""
}
