package profiles

import (
	"os"
	"path/filepath"
)

// maxLinks is how many symlinks one path may go through.
const maxLinks = 40

// trace notes each file and link that a path goes through, and the folders
// that have to be watched to notice when one of them is exchanged:
//
//	/etc/parity/rough.yaml ─▶ ..data/rough.yaml, ..data ─▶ ..2026_03_02/
//	cares:   rough.yaml, ..data, ..2026_03_02/rough.yaml, and the folders themselves
//	folders: /etc, /etc/parity, /etc/parity/..2026_03_02
func trace(path string, cares, folders map[string]bool) {
	todo := []string{filepath.Clean(path)}
	for links := 0; len(todo) > 0 && links <= maxLinks; {
		next := todo[0]
		todo = todo[1:]
		cares[next] = true
		folder := filepath.Dir(next)
		watchNearest(folder, cares, folders)
		watchNearest(filepath.Dir(folder), cares, folders) // to see the folder itself go
		for at := next; at != filepath.Dir(at); at = filepath.Dir(at) {
			target, err := os.Readlink(at)
			if err != nil {
				continue
			}
			links++
			cares[at] = true
			watchNearest(filepath.Dir(at), cares, folders)
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(at), target)
			}
			if rest, err := filepath.Rel(at, next); err == nil {
				todo = append(todo, filepath.Join(target, rest))
			}
		}
	}
}

// watchNearest notes a folder, or the nearest one above it that there is, so
// that the making of the others is noticed.
func watchNearest(folder string, cares, folders map[string]bool) {
	for {
		cares[folder] = true
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			folders[folder] = true
			return
		}
		above := filepath.Dir(folder)
		if above == folder {
			return
		}
		folder = above
	}
}
