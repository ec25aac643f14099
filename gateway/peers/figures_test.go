package main

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

func TestQuantile(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		values []float64
		share  float64
		want   float64
	}{
		{nil, 0.5, 0},
		{[]float64{3}, 0.25, 3},
		{[]float64{3, 1, 2}, 0.5, 2},
		{[]float64{4, 1, 2, 3}, 0.5, 2.5},
		{[]float64{5, 1, 2, 3, 4}, 0.25, 2},
		{[]float64{1, 2}, 1, 2},
		{[]float64{1, 2}, 0, 1},
	} {
		if got := quantile(test.values, test.share); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%v at %v: got %v, want %v", test.values, test.share, got, test.want)
		}
	}
}

// ran is a lane of rounds that each took a second.
func ran(peer string, cpu time.Duration, calls ...int) *lane {
	l := &lane{peer: peer}
	for _, n := range calls {
		l.rounds = append(l.rounds, round{tally: tally{calls: n, bytes: n * 10, took: time.Second}, cpu: cpu})
	}
	return l
}

// TestARatioIsOfRoundsThatMetTheSame: the machine was busy in the second round,
// which says nothing of either.
func TestARatioIsOfRoundsThatMetTheSame(t *testing.T) {
	t.Parallel()
	yard, other := ran(bare, time.Second, 1000, 100, 1000), ran(parity, 2*time.Second, 500, 50, 500)
	other.rounds[2].failed, other.rounds[2].first = 100, "status 500"
	all := standings([]*lane{yard, other})
	if len(all) != 2 || all[0].Ratio != 1 || math.Abs(all[0].CPU-1) > 0.01 {
		t.Fatalf("the yardstick itself: %+v", all)
	}
	got := all[1]
	if got.Ratio != 0.5 || got.Low != 0.45 || got.High != 0.5 || got.bytes != 10 || got.failed != 100 || got.first != "status 500" {
		t.Errorf("got %+v", got)
	}
	if math.Abs(got.CPU-4) > 0.01 {
		t.Errorf("twice the time for half the calls: %.3f times", got.CPU)
	}
	var b strings.Builder
	printContest(&b, contest{name: "get", title: "GET"}, all)
	printLeftOut(&b, map[string]error{stripeMock: errors.New("no network")})
	for _, want := range []string{"0.50", "0.45–0.50", "4.0×", "FAILED: 100 calls to parity, the first: status 500", "left out: stripe-mock: no network"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestReadyAndHeap(t *testing.T) {
	t.Parallel()
	data, control := parseReady("ready\ndata     http://127.0.0.1:1\ncontrol  http://127.0.0.1:2\nservice  http://127.0.0.1:1/stripe\n")
	if data != "127.0.0.1:1" || control != "127.0.0.1:2" {
		t.Errorf("got %s, %s", data, control)
	}
	const metrics = "# HELP x y\ngo_memstats_heap_alloc_bytes 2.5e+07\ngo_memstats_alloc_bytes_total 5e+07\ngo_memstats_mallocs_total 12\n"
	if got, err := parseHeap(metrics); err != nil || got != (heap{2.5e7, 5e7, 12}) {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := parseHeap("go_memstats_mallocs_total 12\n"); err == nil {
		t.Error("figures are missing, and no error")
	}
}

func TestChosen(t *testing.T) {
	t.Parallel()
	if got, err := chosen("", []string{"a", "b"}); err != nil || len(got) != 2 {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := chosen("b", []string{"a", "b"}); err != nil || len(got) != 1 || got[0] != "b" {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := chosen("b,c", []string{"a", "b"}); err == nil || !strings.Contains(err.Error(), `no "c": there are a, b`) {
		t.Errorf("got %v", err)
	}
}
