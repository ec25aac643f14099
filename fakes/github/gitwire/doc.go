// Package gitwire reads and writes the bytes of git's smart HTTP protocol,
// version 0, and knows nothing of repositories.
//
//	fetch: want … have … done ─▶ ReadFetch      Pack ─▶ Band ─▶ client
//	push:  old new ref … PACK ─▶ ReadPush ─▶ Unpack ─▶ objects
//	             └─ lines: 4 hexadecimal digits of length, then the payload
//
// All that a client sends is bounded before it is held: see Limits.
//
// Sources: git-scm.com/docs/gitprotocol-pack, gitprotocol-http,
// gitprotocol-capabilities, gitformat-pack.
package gitwire
