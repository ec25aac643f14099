package connection

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"runtime"

	"parity/gateway/client"
)

// Console opens the gateway's console for somebody by open, and writes where it is.
// With open nil, or where it fails, it writes the address that opens it, which is
// good once for a minute.
func Console(ctx context.Context, w io.Writer, k *client.Client, by string, open func(url string) error) error {
	code, err := k.ConsoleCode(ctx, by)
	if err != nil {
		return err
	}
	page := k.URL() + "/console/"
	if open != nil {
		if err = open(page + "#code=" + code.Code); err == nil {
			_, err = fmt.Fprintf(w, "%s is open in your browser; where it is not, --no-open prints the address\n", page)
			return err
		}
	}
	_, err = fmt.Fprintf(w, "%s#code=%s\n", page, code.Code)
	return err
}

// Browse has the machine's browser show a page.
func Browse(url string) error {
	command := exec.Command("xdg-open", url)
	switch runtime.GOOS {
	case "darwin":
		command = exec.Command("open", url)
	case "windows":
		command = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	}
	return command.Run()
}
