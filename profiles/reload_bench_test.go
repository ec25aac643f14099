package profiles_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parity/profiles"
)

// rules is a profile of so many rules, of all kinds.
func rules(n int) []byte {
	var b strings.Builder
	b.WriteString("profile: many\nservices: {stripe: {}, hubspot: {}}\nfaults:\n")
	for i := range n {
		fmt.Fprintf(&b, "  rule-%d:\n    call: [stripe POST /v1/refunds, \"stripe GET /v1/charges/{charge}\", \"hubspot *\"]\n    when: result.amount > %d and request.body.metadata.n != \"x\"\n"+
			"    inject: %s\n    trigger: {nth: %d, per: result.customer}\n    because: Twin refunds.\n", i, i, []string{"timeout", "latency\n    with: {p50: 120ms, p95: 900ms, p99: 4s}", "error\n    with: {status: 503}"}[i%3], i%7+1)
	}
	return []byte(b.String())
}

// BenchmarkReload is what it takes to read a profile of 1,000 rules anew, as a
// save does: below 100 ms is the aim. Read the ratio to one with 10 rules, which
// is 100 where it grows with the number of rules.
func BenchmarkReload(b *testing.B) {
	dir := b.TempDir()
	o := options(b, dir)
	load := func(n int) time.Duration {
		file := filepath.Join(dir, fmt.Sprint(n, ".yaml"))
		if err := os.WriteFile(file, rules(n), 0o600); err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		if _, err := profiles.Load(file, o); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	load(10)
	var few, many time.Duration
	for b.Loop() {
		few += load(10)
		many += load(1000)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(many.Microseconds())/1000/float64(b.N), "ms/1000-rules")
	b.ReportMetric(float64(many)/float64(max(1, few)), "times-10-rules")
}
