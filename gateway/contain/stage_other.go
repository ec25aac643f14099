//go:build !linux

package contain

// Stage does nothing: what it is for is Linux's alone.
func Stage() {}
