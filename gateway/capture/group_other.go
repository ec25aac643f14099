//go:build !unix

package capture

import "os/exec"

// setApart: without process groups, an agent's children are its own to end.
func setApart(*exec.Cmd) {}

func endGroup(int) {}
