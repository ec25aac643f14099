package faults

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

var (
	shareForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?)\s?%$`) })
	sizeForm  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]{1,15})\s?(B|KB|MB|GB)$`) })
	daysForm  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]{1,5})d(.*)$`) })
)

// ParseShare reads a percentage with its sign, such as 30% or 0.5%, and gives
// it as a number from 0 to 1.
func ParseShare(s string) (float64, error) {
	m := shareForm().FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return 0, fmt.Errorf("%q is not a share; write it with its sign, such as 30%%", s)
	}
	f, err := strconv.ParseFloat(m[1], 64)
	if err != nil || f > 100 || math.IsNaN(f) {
		return 0, fmt.Errorf("%q is not between 0%% and 100%%", s)
	}
	return f / 100, nil
}

// ParseSize reads a size with its unit, such as 64KB, and gives it in bytes.
// A KB is 1024 bytes.
func ParseSize(s string) (int64, error) {
	m := sizeForm().FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return 0, fmt.Errorf("%q is not a size; write it with its unit: B, KB, MB or GB", s)
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	shift := map[string]uint{"B": 0, "KB": 10, "MB": 20, "GB": 30}[m[2]]
	if err != nil || n > math.MaxInt64>>shift {
		return 0, fmt.Errorf("%q is too large", s)
	}
	return n << shift, nil
}

// ParseDuration reads a duration with its unit, such as 250ms, 40s, 1h30m or
// 2d. It is never negative.
func ParseDuration(s string) (time.Duration, error) {
	text := strings.TrimSpace(s)
	var days time.Duration
	if m := daysForm().FindStringSubmatch(text); m != nil {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return 0, fmt.Errorf("%q is not a duration", s)
		}
		days, text = time.Duration(n)*24*time.Hour, m[2]
		if text == "" {
			return days, nil
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || text == "0" {
		return 0, fmt.Errorf("%q is not a duration; write it with its unit: ms, s, m, h or d, such as 40s", s)
	}
	return days + d, nil
}
