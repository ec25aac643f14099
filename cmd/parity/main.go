// Command parity rehearses AI agents against fake services that misbehave as
// real ones do.
//
//	parity run -- my-agent        the agent's calls are answered by fakes
//	parity report                 what it did, what that proves, what it does not
//
// This package parses the command line, one file a command; what the commands
// do is in cmd/internal and the gateway.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"parity/gateway/contain"
)

func main() {
	contain.Stage()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process as it would any other
	code := execute(ctx, console{
		args: os.Args[1:], stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv, environ: os.Environ,
		memory: debug.SetMemoryLimit,
	})
	stop()
	os.Exit(code)
}
