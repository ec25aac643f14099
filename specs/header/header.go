// Package header tells whose a header is: of one connection, of who sends the
// message, or of the service whose words it is.
//
//	Connection, Te, Keep-Alive …              hop:    ends with the connection
//	those, Content-Length, Date, Trailer …    sender: true of the bytes that are sent
//	ETag, Retry-After, X-Total-Count …        the service's own
package header

import (
	"net/http"
	"slices"
)

// Hop lists the headers that are for one connection alone, whatever Connection
// names besides. Source: RFC 9110, section 7.6.1, and RFC 2616, section 13.5.1.
func Hop() []string {
	return []string{
		"Connection", "Proxy-Connection", "Keep-Alive", "Te", "Transfer-Encoding", "Upgrade", "Proxy-Authenticate", "Proxy-Authorization",
	}
}

// OfSender tells whether a header is one that only who sends a message can make
// true, whatever a contract or an example shows of it.
func OfSender(name string) bool {
	switch name = http.CanonicalHeaderKey(name); name {
	case "Content-Encoding", "Content-Length", "Content-Range", "Date", "Trailer":
		return true
	}
	return slices.Contains(Hop(), name)
}
