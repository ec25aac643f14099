package faults

import (
	"testing"
	"time"
)

func TestParseDuration(t *testing.T) {
	t.Parallel()
	good := map[string]time.Duration{
		"40s": 40 * time.Second, "250ms": 250 * time.Millisecond, "1h30m": 90 * time.Minute,
		"2d": 48 * time.Hour, "1d12h": 36 * time.Hour, " 5m ": 5 * time.Minute, "0s": 0,
	}
	for text, want := range good {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "40", "0", "-1s", "s", "1 fortnight", "1d-2h", "99999999d"} {
		if got, err := ParseDuration(text); err == nil {
			t.Errorf("ParseDuration(%q) = %v; want an error", text, got)
		}
	}
}

func TestParseShare(t *testing.T) {
	t.Parallel()
	good := map[string]float64{"30%": 0.3, "0%": 0, "100%": 1, "0.5%": 0.005, "8 %": 0.08}
	for text, want := range good {
		if got, err := ParseShare(text); err != nil || got != want {
			t.Errorf("ParseShare(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "30", "0.3", "101%", "-5%", "NaN%", "%"} {
		if got, err := ParseShare(text); err == nil {
			t.Errorf("ParseShare(%q) = %v; want an error", text, got)
		}
	}
}

func TestParseSize(t *testing.T) {
	t.Parallel()
	good := map[string]int64{"64KB": 64 << 10, "10MB": 10 << 20, "512B": 512, "0B": 0, "1 GB": 1 << 30}
	for text, want := range good {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "64", "64kb", "-1B", "99999999999GB", "1.5MB"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("ParseSize(%q) = %v; want an error", text, got)
		}
	}
}

func FuzzQuantities(f *testing.F) {
	for _, seed := range []string{"40s", "2d", "30%", "64KB", "1d12h", "", "-1s"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := ParseDuration(text); err == nil && d < 0 {
			t.Errorf("ParseDuration(%q) = %v, negative", text, d)
		}
		if s, err := ParseShare(text); err == nil && (s < 0 || s > 1) {
			t.Errorf("ParseShare(%q) = %v, not a share", text, s)
		}
		if n, err := ParseSize(text); err == nil && n < 0 {
			t.Errorf("ParseSize(%q) = %v, negative", text, n)
		}
	})
}
