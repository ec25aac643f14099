package connection

import (
	"context"
	"path/filepath"

	"parity/gateway/client"
	"parity/gateway/kept"
)

// Up gives clients of the gateways that are up: the one at a control URL, or where
// that is empty those under root, of `parity serve` and of each `parity run`. None
// is no error.
func Up(ctx context.Context, root, url, token string) ([]*client.Client, error) {
	if url != "" {
		c, err := Connect(root, url, token)
		if err != nil {
			return nil, err
		}
		return []*client.Client{c}, nil
	}
	places, err := filepath.Glob(filepath.Join(kept.RunsFolder(root), "*", announced))
	if err != nil {
		return nil, err
	}
	var up []*client.Client
	for _, place := range append([]string{filepath.Join(kept.Folder(root), announced)}, places...) {
		found, err := upIn(filepath.Dir(place))
		if err != nil {
			continue // nobody is there
		}
		if c, err := found.alive(ctx, token); err == nil {
			up = append(up, c)
		}
	}
	return up, nil
}
