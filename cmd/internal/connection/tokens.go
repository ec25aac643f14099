package connection

import (
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"
	"time"

	"parity/gateway"
	"parity/gateway/people"
)

// operators is the file of the persons under root who have a token.
func operators(root string) string {
	return filepath.Join(gateway.Settings{Root: root}.WithDefaults().Root, people.FileName)
}

// NewToken makes a token for a person who decides, under root, and writes it: once,
// since it is kept nowhere.
func NewToken(w io.Writer, root, name string, now time.Time) error {
	if err := (gateway.Settings{Root: root}).WithDefaults().MakeRoot(); err != nil {
		return err
	}
	token, err := people.Add(operators(root), name, now)
	if err != nil {
		return &gateway.UsageError{Err: err}
	}
	_, err = fmt.Fprintln(w, token)
	return err
}

// ListTokens writes who under root has a token.
func ListTokens(w io.Writer, root string) error {
	all, err := people.List(operators(root))
	if err != nil {
		return &gateway.UsageError{Err: err}
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "nobody has a token; `parity token new --operator NAME` makes one")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, one := range all {
		if _, err := fmt.Fprintf(table, "%s\t%s\tsha256 %.12s\n", one.Name, one.Made.Format(time.RFC3339), one.Digest); err != nil {
			return err
		}
	}
	return table.Flush()
}

// RemoveToken makes a person's token good for nothing, at every gateway under root,
// at once.
func RemoveToken(w io.Writer, root, name string) error {
	if err := people.Remove(operators(root), name); err != nil {
		return &gateway.UsageError{Err: err}
	}
	_, err := fmt.Fprintf(w, "the token of %s is good no longer\n", name)
	return err
}
