package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Ready asks whether the gateway takes traffic; the error says why it is not known
// to. It shows no token: none is asked for.
func (c *Client) Ready(ctx context.Context) error {
	const path = "/readyz"
	open := *c
	open.token = ""
	reply, err := open.send(ctx, http.MethodGet, path, "text/plain", nil)
	if refused, ok := errors.AsType[*Error](err); ok && refused.Status == http.StatusServiceUnavailable {
		return fmt.Errorf("%s takes no traffic: it starts or ends, its disk cannot be written, or the run of clients that name none is full; its log says which", c.base)
	}
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	const most = 64
	if said, err := io.ReadAll(io.LimitReader(reply.Body, most)); err != nil || string(said) != "ready\n" {
		return fmt.Errorf("%s answers, and not as a gateway does: name the control port with --gateway", c.base)
	}
	return nil
}
