package inspect

import (
	"fmt"
	"io"
	"os"

	"parity/cmd/internal/output"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// A Beside says what a run's agent is held against.
type Beside struct {
	Root  string // where runs are kept
	Run   string
	Human string // the file of the log of what people did
	Keep  bool   // the log beside the run, for its reports
	Form  string // text or json
}

// PrintComparison writes what the agent wrote beside what people did, and gives the
// exit code.
func PrintComparison(w io.Writer, b Beside, look report.Options) (code int, err error) {
	if err := output.TextOrJSON(b.Form); err != nil {
		return 0, err
	}
	log, err := os.ReadFile(b.Human)
	if err != nil {
		return 0, &kept.UsageError{Err: fmt.Errorf("--human: %w", err)}
	}
	k, err := kept.Read(b.Root, b.Run)
	if err != nil {
		return 0, err
	}
	log = kept.CleanHuman(log)
	c, err := k.Compare(log)
	if err != nil {
		return 0, &kept.UsageError{Err: fmt.Errorf("%s: %w", b.Human, err)}
	}
	if b.Keep {
		if err := kept.KeepHuman(b.Root, b.Run, log); err != nil {
			return 0, fmt.Errorf("the log is not kept beside the run: %w", err)
		}
	}
	if b.Form == "json" {
		err = report.ComparisonJSON(w, c)
	} else {
		err = report.ComparisonText(w, c, look)
	}
	if err == nil && c.Dangerous > 0 {
		code = output.ExitDiffers
	}
	return code, err
}
