package report

import (
	"strconv"
	"strings"
)

// traceParent is where an agent's own trace stands.
type traceParent struct {
	trace, span string
	flags       uint32
}

// parseTraceParent reads the header of W3C's Trace Context, level 2
// (https://www.w3.org/TR/trace-context-2/#traceparent-header). Versions to come
// may have more behind the flags.
func parseTraceParent(header string) (traceParent, bool) {
	parts := strings.Split(strings.TrimSpace(header), "-")
	if len(parts) < 4 || len(parts) > 4 && parts[0] == "00" || parts[0] == "ff" {
		return traceParent{}, false
	}
	for i, digits := range []int{2, 32, 16, 2} {
		if len(parts[i]) != digits || strings.Trim(parts[i], "0123456789abcdef") != "" {
			return traceParent{}, false
		}
	}
	if strings.Trim(parts[1], "0") == "" || strings.Trim(parts[2], "0") == "" {
		return traceParent{}, false
	}
	flags, err := strconv.ParseUint(parts[3], 16, 8)
	return traceParent{parts[1], parts[2], uint32(flags)}, err == nil
}
