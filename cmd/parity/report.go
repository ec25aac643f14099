package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/inspect"
	"parity/cmd/internal/reports"
	"parity/gateway/report"
)

func reportCommand(c console) *cobra.Command {
	var output string
	var files []string
	var surface, verbose bool
	cmd := &cobra.Command{
		Use:   "report [RUN | SERIES]",
		Short: "Say what an agent did about each fault, and what that proves",
		Long: `Report judges a run again and prints what "parity run" ended with. It ends with
0 whatever the verdicts are.

RUN is the name of a folder in .parity/runs, or last, the newest, which is what
is read where none is named. A run that is going on can be read too.

After parity run --sweep, --repeat, --seeds or --matrix, last is that series. Its
report says what came of each of its runs, as text, markdown, html, json or junit;
SERIES-3 is its third run, which has a report of its own.

The formats: text, to read here; markdown, for a manager or a pull request, which
opens with what came of the run; html, one page that needs nothing else; json, whose
schema "parity schema report" prints; junit and sarif, for what shows results of
tests and of checks; otlp, traces that join the agent's own; har, the exchanges,
for browsers and proxies.`,
		Example: "  parity report\n  parity report last -o json\n  parity report --surface\n  parity report sweep-20260102-150405-abcd --report sweep.html\n  parity report -o markdown > pull-request.md",
		Args:    atMostOne("run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if surface {
				return inspect.PrintSurface(c.stdout, c.getenv("PARITY_DIR"), named(args), output)
			}
			written, err := reports.Parse(files)
			if err != nil {
				return err
			}
			if len(written) > 0 {
				err = inspect.WriteReports(cmd.Context(), c.getenv("PARITY_DIR"), named(args), written, c.getenv("OTEL_EXPORTER_OTLP_HEADERS"))
			}
			if err != nil || len(written) > 0 && !cmd.Flags().Changed("output") {
				return err
			}
			return inspect.PrintReport(c.stdout, c.getenv("PARITY_DIR"), named(args), output, report.Options{Color: c.colour(c.stdout), Verbose: verbose})
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "how it is written: "+report.FormatNames())
	reportFlag(cmd, &files)
	verboseFlag(cmd, &verbose)
	cmd.Flags().BoolVar(&surface, "surface", false, "only what the agent could do beside what it did: operations by effect, and hosts (text or json)")
	return cmd
}

// verboseFlag has a report in a terminal list what it counts by default.
func verboseFlag(cmd *cobra.Command, verbose *bool) {
	cmd.Flags().BoolVarP(verbose, "verbose", "v", false, "list all that the run does not prove, which is counted by default")
}

// reportFlag says where reports are written to.
func reportFlag(cmd *cobra.Command, files *[]string) {
	cmd.Flags().StringArrayVar(files, "report", nil, "write a report to FILE, whose ending names the format, to FORMAT=FILE, or traces to a collector, otlp=URL (may be repeated); of many runs as "+report.SeriesFormatNames())
}
