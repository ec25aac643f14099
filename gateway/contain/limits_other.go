//go:build !linux

package contain

// beyond is what this machine does not allow of the limits: that is Linux's alone.
func (Limits) beyond() []error { return nil }
