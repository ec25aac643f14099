package main

import "golang.org/x/sys/unix"

// conceal keeps what this process was started with from others of the same user:
// an agent can read the environment of whoever started it in /proc. The agent
// itself is as any program. Root reads all.
func conceal() error { return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }
