// Package capture has what it takes for an agent's own traffic to reach the
// gateway though the agent was not changed: the environment it is started
// with, a preload for Node, and the starting itself.
//
//	agent ─ reads HTTPS_PROXY (Go, Python, curl, git, Deno) ─► proxy ──┐
//	      └ Node, which mostly does not: preload.cjs turns             ├─► gateway
//	        connections to ports 80 and 443 around ─► data port, SNI ──┘
//	      └ trusts our CA through SSL_CERT_FILE, NODE_EXTRA_CA_CERTS, ...
//
// Of 17 official Node SDKs, measured in November 2026 on Node 20, three honour
// proxy variables; all of them go through net.Socket, which the preload patches.
//
// What is not captured: programs that bundle their own CA file or resolve names
// before they ask for a proxy, Java (it reads no such variables), anything but
// TCP, and processes that the agent starts with an emptied environment.
package capture
