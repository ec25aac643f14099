// Package connection is how commands find a gateway that is up, and agents their
// way into it:
//
//	a gateway ── Announce ─▶ gateway.json ─▶ Connect, ConnectRun ─▶ a client of its control port
//	its CA ───── WriteFiles ─▶ certificates ┐
//	a run of it ─ InRun, Remote ────────────┴▶ the variables that an agent is started with
//
// gateway.json is beside the runs that the gateway has: in the folder of all of
// them for one that stays up, in that of its one run for `parity run`.
package connection

import (
	"context"
	"fmt"
	"strings"
	"time"

	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/kept"
)

// answerTime is how long a gateway has to answer that it is up.
const answerTime = 5 * time.Second

// Connect gives a client of a gateway that is up: the one at a control URL, or
// the one under root where that is empty.
func Connect(root, url, token string) (*client.Client, error) {
	found, err := readUp(root)
	if url == "" {
		if err != nil {
			return nil, err
		}
		url = found.Settings.ControlURL
	}
	if token == "" && strings.TrimSuffix(url, "/") == found.Settings.ControlURL {
		token = found.Token
	}
	c, err := client.New(client.Options{URL: url, Token: token})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// ConnectRun gives a client of the gateway that has a run, and the run's id: the
// one at a control URL, or where that is empty the one of the `parity run` under
// root that goes on under that name, which may be last, or the one that is up
// there.
func ConnectRun(ctx context.Context, root, run, url, token string) (*client.Client, string, error) {
	if url != "" {
		c, err := Connect(root, url, token)
		return c, run, err
	}
	dir, id, err := kept.Find(root, run)
	if err != nil {
		return nil, "", err
	}
	if found, err := upIn(dir); err == nil {
		if c, err := found.alive(ctx, token); err == nil {
			return c, id, nil
		}
	}
	c, err := Connect(root, "", token)
	if err != nil && dir != (gateway.Settings{Root: root}).WithDefaults().SharedFolder() {
		err = fmt.Errorf("run %s is over: only what goes on can be changed", id)
	}
	return c, id, err
}
