package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Discard removes the store in dir and all that is in that folder. Its error
// wraps fs.ErrNotExist where there is no store, and *BusyError where a process
// writes it.
func Discard(dir string) error {
	if err := find(dir); err != nil {
		return err
	}
	l, err := acquire(context.Background(), dir)
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(dir), l.release()); err != nil {
		return fmt.Errorf("remove store %s: %w", dir, err)
	}
	return nil
}
