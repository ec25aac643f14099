package header_test

import (
	"testing"

	"parity/specs/header"
)

func TestWhoseAHeaderIs(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"connection": true, "TE": true, "proxy-authenticate": true, "Content-Length": true, "content-encoding": true, "Date": true, "trailer": true,
		"ETag": false, "Content-Type": false, "Location": false, "Retry-After": false, "": false,
	} {
		if got := header.OfSender(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
	for _, name := range header.Hop() {
		if !header.OfSender(name) {
			t.Errorf("%s is of a connection, and not of who sends", name)
		}
	}
}
