package connection

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// ErrNotReady is the error of Health: a gateway takes no traffic, and why.
var ErrNotReady = errors.New("not ready")

// Health asks whether the gateway at a control URL takes traffic, or where that is
// empty the one under root, and writes one line of what it says.
func Health(ctx context.Context, w io.Writer, root, url string) error {
	c, err := Connect(root, url, "")
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, answerTime)
		defer cancel()
		err = c.Ready(ctx)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%s does not answer within %v", c.URL(), answerTime)
	}
	if err != nil {
		_, werr := fmt.Fprintf(w, "%v: %v\n", ErrNotReady, err)
		return errors.Join(ErrNotReady, werr)
	}
	_, err = fmt.Fprintf(w, "ready: %s\n", c.URL())
	return err
}
