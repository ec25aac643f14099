package file

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteWhole writes a file so that whoever sees it sees all of it.
func WriteWhole(name string, content []byte) error {
	draft, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	_, err = draft.Write(content)
	if err = errors.Join(err, draft.Close()); err == nil {
		err = os.Rename(draft.Name(), name)
	}
	if err != nil {
		_ = os.Remove(draft.Name()) // what went wrong is told
	}
	return err
}
