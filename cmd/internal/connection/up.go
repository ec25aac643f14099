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
			up = append(up, ownOf(ctx, c, token))
		}
	}
	return up, nil
}

// ownOf is a gateway as whoever has a token of their own calls it: what they say there
// is theirs, and not whoever's the control token is. Where the gateway does not know
// the token it stays as it was.
func ownOf(ctx context.Context, c *client.Client, token string) *client.Client {
	if token == "" {
		return c
	}
	own, err := client.New(client.Options{URL: c.URL(), Token: token})
	if err != nil {
		return c
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	if _, err := own.Approvals(ctx, "", client.Pending); err != nil { // which a person may
		return c
	}
	return own
}
