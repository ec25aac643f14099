package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parity/gateway/capture"
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
		token = found.Settings.Token
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

// alive makes sure that the gateway of these settings answers: one that was
// killed has left them behind.
func alive(ctx context.Context, s capture.Settings) (*client.Client, error) {
	c, err := client.New(client.Options{URL: s.ControlURL, Token: s.Token})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	if _, err := c.Gateway(ctx); err != nil {
		return nil, &UsageError{fmt.Errorf("the gateway that was up here is gone: %w", err)}
	}
	return c, nil
}
