//go:build !unix

package capture

// inForeground: without process groups, a console's Ctrl-C goes to everyone in it.
func inForeground() bool { return true }
