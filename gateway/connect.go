package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parity/gateway/client"
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

// readUp reads what the gateway under root says of itself.
func readUp(root string) (up, error) {
	root = Settings{Root: root}.withDefaults().Root
	name := filepath.Join(root, upFile)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return up{}, &UsageError{fmt.Errorf("no gateway is up under %s: start one with `parity serve`, or run the agent with `parity run -- COMMAND`, which needs none", root)}
	}
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
