//go:build !linux

package doctor

import "io/fs"

func landlockHere() int { return 0 }

func writable(fs.FileInfo) bool { return false }
