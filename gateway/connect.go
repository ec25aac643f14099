package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"parity/gateway/client"
	"parity/specs/file"
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
		return nil, &UsageError{err}
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
	dir, id, err := Find(root, run)
	if err != nil {
		return nil, "", err
	}
	if found, err := upIn(dir); err == nil {
		if c, err := found.alive(ctx, token); err == nil {
			return c, id, nil
		}
	}
	c, err := Connect(root, "", token)
	if err != nil && dir != (Settings{Root: root}).withDefaults().shared() {
		err = &UsageError{fmt.Errorf("run %s is over: only what goes on can be changed", id)}
	}
	return c, id, err
}

// readUp reads what the gateway under root says of itself.
func readUp(root string) (up, error) {
	root = Settings{Root: root}.withDefaults().Root
	found, err := upIn(root)
	if errors.Is(err, fs.ErrNotExist) {
		return up{}, &UsageError{fmt.Errorf("no gateway is up under %s: start one with `parity serve`, or run the agent with `parity run -- COMMAND`, which needs none", root)}
	}
	return found, err
}

// upIn reads what a gateway has written of itself in a folder.
func upIn(dir string) (up, error) {
	name := filepath.Join(dir, upFile)
	text, err := file.Read(name, file.Most)
	var found up
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	if err != nil {
		return up{}, fmt.Errorf("%s: %w", name, err)
	}
	return found, nil
}

// errClosed says that a gateway answers, and whether it is the one that is looked
// for cannot be told.
var errClosed = errors.New("it wants its control token")

// answers tells whether this gateway is up, as far as can be told without its
// token.
func (u up) answers(ctx context.Context, token string) bool {
	_, err := u.alive(ctx, token)
	return err == nil || errors.Is(err, errClosed)
}

// alive makes sure that this very gateway answers: one that was killed has left
// its settings behind, and another may listen at its port since. Without a token
// it takes the gateway's own.
func (u up) alive(ctx context.Context, token string) (*client.Client, error) {
	c, err := client.New(client.Options{URL: u.Settings.ControlURL, Token: cmp.Or(u.Token, token)})
	if err != nil {
		return nil, &UsageError{err}
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	g, err := c.Gateway(ctx)
	var refused *client.Error
	switch closed := errors.As(err, &refused); {
	case closed && u.Token == "":
		return nil, &UsageError{fmt.Errorf("the gateway at %s: %w: %w", c.URL(), errClosed, err)}
	case closed, err == nil && g.FirstRun != u.Settings.Run:
		return nil, &UsageError{fmt.Errorf("the gateway that was up here is gone: at %s there is another one now", c.URL())}
	case err != nil:
		return nil, &UsageError{fmt.Errorf("the gateway that was up here is gone: %w", err)}
	}
	return c, nil
}
