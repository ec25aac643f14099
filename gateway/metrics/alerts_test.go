package metrics

import (
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.yaml.in/yaml/v4"

	"parity/faults/trail"
)

// used are metrics each of which has a value.
func used() *Metrics {
	m := newMetrics()
	m.Operation("stripe", "POST /v1/refunds").Exchange(trail.Answered, trail.Modelled, time.Millisecond)
	m.Diverged(time.Unix(0, 0), nil)
	return m
}

func TestPromtoolRefusesAMetric(t *testing.T) {
	t.Parallel()
	problems, err := testutil.GatherAndLint(used().registry)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

func TestAnAlertNeverFiresSinceItsMetricIsGone(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	if err := yaml.Load(text, &file, yaml.WithKnownFields()); err != nil {
		t.Fatal(err)
	}
	labels := map[string]map[string]bool{"up": {"job": true}}
	all, err := used().registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		labels[f.GetName()] = map[string]bool{}
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				labels[f.GetName()][l.GetName()] = true
			}
		}
	}
	metric, label := regexp.MustCompile(`\b(?:parity_\w+|up)\b`), regexp.MustCompile(`(\w+)="`)
	rules := 0
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			rules++
			names := metric.FindAllString(r.Expr, -1)
			if len(names) == 0 || r.Annotations["summary"] == "" || r.Annotations["description"] == "" || r.Labels["severity"] == "" {
				t.Errorf("%s: it asks for nothing, or does not say what to do", r.Alert)
			}
			for _, name := range names {
				if labels[name] == nil {
					t.Errorf("%s: there is no metric %s", r.Alert, name)
				}
				for _, l := range label.FindAllStringSubmatch(r.Expr, -1) {
					if !labels[name][l[1]] {
						t.Errorf("%s: %s has no label %s", r.Alert, name, l[1])
					}
				}
			}
			if r.For != "" {
				if _, err := time.ParseDuration(r.For); err != nil {
					t.Errorf("%s: %v", r.Alert, err)
				}
			}
		}
	}
	if rules == 0 {
		t.Error("there are no alerts")
	}
}
