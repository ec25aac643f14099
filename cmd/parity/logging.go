package main

import (
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"parity/gateway"
	"parity/gateway/report"
)

// logging are the flags of a log.
type logging struct{ format, level string }

func (l *logging) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&l.format, "log-format", "text", "the log on standard error, a line for each thing that happens: text or json")
	f.StringVar(&l.level, "log-level", "info", "what is logged: debug, info, warn or error, and what is worse")
}

// open gives the log.
func (l *logging) open(c console) (*slog.Logger, error) {
	var level slog.Level
	switch l.level {
	case "debug":
		level = slog.LevelDebug
	case "info":
	case "warn":
		level = slog.LevelWarn
	case "error":
		level = slog.LevelError
	default:
		return nil, &gateway.UsageError{Err: fmt.Errorf("--log-level %q: say debug, info, warn or error", l.level)}
	}
	switch l.format {
	case "text":
		return c.logTo(level), nil
	case "json":
		return slog.New(slog.NewJSONHandler(c.stderr, &slog.HandlerOptions{Level: level, ReplaceAttr: masked})), nil
	}
	return nil, &gateway.UsageError{Err: fmt.Errorf("--log-format %q: say text or json", l.format)}
}

// masked takes what looks like a secret out of what is logged.
func masked(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Any().(type) {
	case string:
		a.Value = slog.StringValue(report.Masked(v))
	case error:
		a.Value = slog.StringValue(report.Masked(v.Error()))
	}
	return a
}
