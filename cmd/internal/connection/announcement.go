package connection

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"parity/gateway"
	"parity/gateway/capture"
	"parity/gateway/client"
	"parity/specs/file"
)

// announced names, beside the runs, what a gateway that is up says of itself.
const announced = "gateway.json"

// announcement is what commands need to know of a gateway.
type announcement struct {
	PID int `json:"pid"`
	// Token is the control token where the gateway has drawn it: it is worth
	// nothing once that is gone. One that somebody chose is not written down.
	Token    string           `json:"token,omitempty"`
	Settings capture.Settings `json:"settings"` // of an agent in the first run
}

// Announce writes down where a gateway is that stays up, for commands to find it,
// and how an agent is started in its first run. The place of another one that is
// up is left to that.
func Announce(ctx context.Context, srv *gateway.Server, env capture.Settings) (leave func(), err error) {
	s := srv.Settings()
	if other, err := readUp(s.Root); err == nil && other.Settings.ControlURL != env.ControlURL && other.answers(ctx, s.Token) {
		s.Log.Warn("commands find the other gateway that is up under this folder, and not this one: name it by --gateway, or set PARITY_DIR to another folder",
			"other", other.Settings.ControlURL, "this", env.ControlURL)
		return func() {}, nil
	}
	return AnnounceIn(s.Root, srv.DrawnToken(), env)
}

// AnnounceIn writes down in a folder where a gateway is.
func AnnounceIn(dir, token string, env capture.Settings) (leave func(), err error) {
	text, err := json.MarshalIndent(announcement{PID: os.Getpid(), Token: token, Settings: env}, "", "  ")
	if err != nil {
		return nil, err
	}
	text = append(text, '\n')
	name := filepath.Join(dir, announced)
	if err := file.WriteWhole(name, text); err != nil {
		return nil, fmt.Errorf("the gateway's own settings: %w", err)
	}
	return func() { RemoveOwn(name, text) }, nil
}

// RemoveOwn removes a file unless another gateway has written its own there.
func RemoveOwn(name string, text []byte) {
	if now, err := file.Read(name, file.Most); err == nil && bytes.Equal(now, text) {
		_ = os.Remove(name) // it says where nobody is; the next gateway writes its own
	}
}

// readUp reads what the gateway under root says of itself.
func readUp(root string) (announcement, error) {
	root = gateway.Settings{Root: root}.WithDefaults().Root
	found, err := upIn(root)
	if errors.Is(err, fs.ErrNotExist) {
		return announcement{}, fmt.Errorf("no gateway is up under %s: start one with `parity serve`, or run the agent with `parity run -- COMMAND`, which needs none", root)
	}
	return found, err
}

// upIn reads what a gateway has written of itself in a folder.
func upIn(dir string) (announcement, error) {
	name := filepath.Join(dir, announced)
	text, err := file.Read(name, file.Most)
	var found announcement
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	if err != nil {
		return announcement{}, fmt.Errorf("%s: %w", name, err)
	}
	return found, nil
}

// errClosed says that a gateway answers, and whether it is the one that is looked
// for cannot be told.
var errClosed = errors.New("it wants its control token")

// answers tells whether this gateway is up, as far as can be told without its
// token.
func (a announcement) answers(ctx context.Context, token string) bool {
	_, err := a.alive(ctx, token)
	return err == nil || errors.Is(err, errClosed)
}

// alive makes sure that this very gateway answers: one that was killed has left
// its settings behind, and another may listen at its port since. Without a token
// it takes the gateway's own.
func (a announcement) alive(ctx context.Context, token string) (*client.Client, error) {
	c, err := client.New(client.Options{URL: a.Settings.ControlURL, Token: cmp.Or(a.Token, token)})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	g, err := c.Gateway(ctx)
	var refused *client.Error
	switch closed := errors.As(err, &refused); {
	case closed && a.Token == "":
		return nil, fmt.Errorf("the gateway at %s: %w: %w", c.URL(), errClosed, err)
	case closed, err == nil && g.FirstRun != a.Settings.Run && !had(ctx, c, a.Settings.Run):
		return nil, fmt.Errorf("the gateway that was up here is gone: at %s there is another one now", c.URL())
	case err != nil:
		return nil, fmt.Errorf("the gateway that was up here is gone: %w", err)
	}
	return c, nil
}

// had tells whether a gateway has, or had, a run: the one of clients that name
// none is followed by another in time.
func had(ctx context.Context, c *client.Client, run string) bool {
	_, err := c.Run(ctx, run)
	var refused *client.Error
	return err == nil || errors.As(err, &refused) && refused.Code == "run-ended"
}
