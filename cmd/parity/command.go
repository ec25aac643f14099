package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"parity/cmd/internal/rehearsal"
	"parity/gateway"
)

// The exit codes that are not an agent's own.
const (
	exitUsage  = 2
	exitDefect = 125
)

// console is what a command may touch: handed in, so that tests can.
type console struct {
	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	environ        func() []string
	memory         func(limit int64) int64 // sets the process's soft limit; nil: it is not ours
}

// exitCode ends a command with a code and without a message: everything has
// been said.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit %d", int(c)) }

// execute runs one command line and gives its exit code.
func execute(ctx context.Context, c console) int {
	root := &cobra.Command{
		Use:   "parity",
		Short: "Rehearse AI agents against fake services that misbehave as real ones do",
		Long: `Parity rehearses AI agents against fake services that misbehave as real ones do,
and says what the agent did about it. Begin with: parity demo

Environment: PARITY_DIR is where runs are kept (default .parity), PARITY_HOME
where the certificate authority is (default a folder of the user's own),
PARITY_GATEWAY the control URL of a shared gateway, PARITY_CONTROL_TOKEN the
control port's token. NO_COLOR is honoured.`,
		Version:       gateway.Version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          known,
		RunE:          help,
	}
	root.SetFlagErrorFunc(misused)
	root.SetArgs(c.args)
	root.SetIn(c.stdin)
	root.SetOut(c.stdout)
	root.SetErr(c.stderr)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(runCommand(c), initCommand(c), serveCommand(c), envCommand(c), healthCommand(c), doctorCommand(c), caCommand(c), traceCommand(c), reportCommand(c), outboxCommand(c),
		demoCommand(c), demoAgentCommand(c), profileCommand(c), schemaCommand(c), shadowCommand(c), explainCommand(c), whyCommand(c),
		runsCommand(c), injectCommand(c), consoleCommand(c), tokenCommand(c), clockCommand(c), stateCommand(c), diffCommand(c), replayCommand(c), lockCommand(c),
		fidelityCommand(c), divergenceCommand(c), auditCommand(c), promoteCommand(c), scanCommand(c), mirrorCommand(c),
		contractCommand(c), fixturesCommand(c), servicesCommand(c), permsCommand(c), policyCommand(c), actCommand(c), approvalsCommand(c), draftsCommand(c), rehearseCommand(c))
	err := root.ExecuteContext(ctx)
	var code exitCode
	var usage *gateway.UsageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &usage):
		fmt.Fprintf(c.stderr, "parity: %v\n", err)
		return exitUsage
	case errors.Is(err, rehearsal.ErrDefect):
		fmt.Fprintf(c.stderr, "parity: %v\n", err)
		return exitDefect
	}
	fmt.Fprintf(c.stderr, "parity: %v\n", err)
	return exitUsage
}

// logTo gives a log of warnings and worse, or of everything.
func (c console) logTo(level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(c.stderr, &slog.HandlerOptions{Level: level, ReplaceAttr: masked}))
}

// terminal tells whether somebody types at r.
func terminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// colour tells whether w is a terminal whose user wants colours.
func (c console) colour(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd()) && c.getenv("NO_COLOR") == "" && c.getenv("TERM") != "dumb"
}
