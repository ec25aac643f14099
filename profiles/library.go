package profiles

import (
	"embed"
	"io/fs"
	"strings"
)

// library holds the profiles that ship with Parity.
//
//go:embed library/*.yaml
var library embed.FS

// Library lists the names of the profiles that ship with Parity, sorted.
func Library() []string {
	entries, err := fs.ReadDir(library, "library")
	if err != nil {
		return nil // it is embedded: a test reads it
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}
