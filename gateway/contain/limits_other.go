//go:build !linux

package contain

// checkPorts says nothing: no ports come in.
func checkPorts(Options) error { return nil }

// beyond is what this machine does not allow of the limits: that is Linux's alone.
func (Limits) beyond() []error { return nil }
