// Package ingress is how traffic comes in: one data port on which every way of
// reaching a service ends at the same http.Handler, with an [Origin] in the
// request's context that says which way it was and whom the client meant.
//
//	                      first byte, behind a PROXY header where there is one
//	listener ── accept ──┬─ 0x16: TLS, leaf by SNI ──┐
//	                     └─ else: HTTP ──────────────┤
//	                                                 ▼
//	                 ┌───────────────────────── net/http.Server
//	                 │                               │
//	                 │      ┌──────────┬─────────────┴──────┐
//	                 │   CONNECT   absolute-form    path, Host or SNI
//	                 │      │          │                    │
//	                 │   Decide     Decide                  │
//	                 │    │   │      │   │                  │
//	     intercept, as│   │   │      │   └─ forward         │
//	     a connection └───┘   └─ tunnel, unread             │
//	     of its own                    ▼                    ▼
//	                                 Handler  +  Origin, wire control
//
// An intercepted tunnel is handed back to the same net/http.Server as one more
// connection. That is why panics, header limits, timeouts, HTTP/2 and shutdown
// hold inside tunnels as they do outside: goproxy's own interception loop has
// none of them, and a panic in it ends the process.
package ingress
