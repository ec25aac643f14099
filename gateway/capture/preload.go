package capture

import (
	_ "embed" // the compiler asks for it beside go:embed
	"fmt"
	"os"
	"path/filepath"
)

//go:embed preload.cjs
var preload string

// WritePreload puts the preload for Node into a folder, which has to exist, and
// gives its absolute path for Settings.PreloadPath. It replaces what is there in
// one step, since agents of earlier runs may be reading it.
func WritePreload(folder string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", fmt.Errorf("folder for the Node preload: %w", err)
	}
	file, err := os.CreateTemp(folder, ".preload-*")
	if err != nil {
		return "", fmt.Errorf("write the Node preload: %w", err)
	}
	path := filepath.Join(folder, "preload.cjs")
	_, err = file.WriteString(preload)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
		return "", fmt.Errorf("write the Node preload: %w", err)
	}
	return path, nil
}
