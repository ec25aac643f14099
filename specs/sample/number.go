package sample

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// number makes a number: an example, one that suits the name, or one between
// the bounds.
func (r *run) number(sh *shape, at place) (any, bool) {
	whole := sh.kinds&aFraction == 0
	words := wordsOf(at.name)
	if n, ok := r.instant(sh, at, words); ok {
		return tidy(n), true
	}
	if !identifies(at.name) {
		for _, example := range sh.hinted() {
			if n, ok := asNumber(example); ok && r.numberOK(sh, n) {
				return tidy(n), true
			}
		}
	}
	if n, ok := r.byName(at, words, whole); ok && r.numberOK(sh, n) {
		return tidy(n), true
	}
	n, ok := r.between(sh, at, whole)
	return tidy(n), ok && r.numberOK(sh, n)
}

// instant is a time in seconds, or in milliseconds where the name or an example
// says so.
func (r *run) instant(sh *shape, at place, words []string) (float64, bool) {
	if !timely(words) {
		return 0, false
	}
	milli := slices.Contains(words, "ms") || slices.Contains(words, "millis")
	for _, example := range sh.hinted() {
		n, ok := asNumber(example)
		if ok && (n < 1e8 || n > 1e14) {
			return 0, false // no time since 1970
		}
		milli = milli || ok && n > 1e11
	}
	n := float64(r.moment(at, words).Unix())
	if milli {
		n *= 1000
	}
	return n, r.numberOK(sh, n)
}

// hinted are examples, then the default.
func (s *shape) hinted() []any {
	if s.fallback == nil {
		return s.examples
	}
	return append(s.examples[:len(s.examples):len(s.examples)], s.fallback.Value())
}

func (r *run) numberOK(sh *shape, n float64) bool {
	low, high := sh.numbers()
	return kindFits(sh.kinds, n) && n >= low && n <= high && !(sh.above && n == sh.low) && !(sh.below && n == sh.high) &&
		!slices.ContainsFunc(sh.multiples, func(of float64) bool { return !multiple(n, of) })
}

// numbers are the bounds, those of formats among them.
func (s *shape) numbers() (low, high float64) {
	low, high = s.low, s.high
	for _, format := range s.formats {
		switch format {
		case "int32":
			low, high = max(low, math.MinInt32), min(high, math.MaxInt32)
		case "uint32":
			low, high = max(low, 0), min(high, math.MaxUint32)
		case "int8":
			low, high = max(low, math.MinInt8), min(high, math.MaxInt8)
		case "uint8":
			low, high = max(low, 0), min(high, math.MaxUint8)
		case "int16":
			low, high = max(low, math.MinInt16), min(high, math.MaxInt16)
		case "uint16":
			low, high = max(low, 0), min(high, math.MaxUint16)
		case "uint64", "uint":
			low = max(low, 0)
		}
	}
	return low, high
}

// between draws a number between the bounds, a multiple where one is asked for.
func (r *run) between(sh *shape, at place, whole bool) (float64, bool) {
	low, high := sh.numbers()
	const span = 1000
	switch {
	case math.IsInf(low, -1) && math.IsInf(high, 1):
		low, high = 1, 100
	case math.IsInf(low, -1):
		low = high - span
		if high > 0 {
			low = min(0, high/2)
		}
	case math.IsInf(high, 1):
		high = low + span
	}
	if len(sh.multiples) > 0 {
		return r.multiple(sh, at, low, high)
	}
	if whole || math.Ceil(low)+1 < high && sh.kinds&aWhole != 0 && high-low > 10*span {
		first, last := math.Ceil(low), math.Floor(high)
		if sh.above && first == sh.low {
			first++
		}
		if sh.below && last == sh.high {
			last--
		}
		if first > last {
			return low, false
		}
		return first + float64(r.pick(at, "number", int(min(last-first, span))+1)), true
	}
	n := low + (high-low)*float64(1+r.pick(at, "number", 998))/1000
	if rounded := math.Round(n*100) / 100; r.numberOK(sh, rounded) {
		n = rounded
	}
	if low == high {
		n = low
	}
	return n, true
}

// multiple draws a multiple of the first number asked for that fits the rest.
func (r *run) multiple(sh *shape, at place, low, high float64) (float64, bool) {
	of := slices.Max(sh.multiples)
	if high < low+of && math.IsInf(sh.high, 1) {
		high = low + 1000*of
	}
	first, last := math.Ceil(low/of-1e-9), math.Floor(high/of+1e-9)
	if first > last {
		return low, false
	}
	count := int(min(last-first, 5000)) + 1
	from := r.pick(at, "multiple", count)
	for i := range count {
		if n := decimal((first+float64((from+i)%count))*of, of); r.numberOK(sh, n) {
			return n, true
		}
	}
	return low, false
}

// decimal cuts off what counting in binary adds to a multiple.
func decimal(n, of float64) float64 {
	text := strconv.FormatFloat(of, 'f', -1, 64)
	_, fraction, _ := strings.Cut(text, ".")
	exact, err := strconv.ParseFloat(strconv.FormatFloat(n, 'f', len(fraction), 64), 64)
	if err != nil {
		return n
	}
	return exact
}

// tidy makes an int64 of a number that is one.
func tidy(n float64) any {
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return int64(n)
	}
	return n
}

// byName draws a number that suits a field's name.
func (r *run) byName(at place, words []string, whole bool) (float64, bool) {
	span := func(low, high int) (float64, bool) {
		return float64(low + r.pick(at, "number", high-low+1)), true
	}
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(w string) bool { return slices.Contains(words, w) })
	}
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	switch {
	case last == "id" || last == "number" && whole:
		return span(1000, 9_999_999)
	case has("latitude", "lat"):
		n, _ := span(-60_0000, 70_0000)
		return n / 10_000, !whole
	case has("longitude", "lng", "lon"):
		n, _ := span(-170_0000, 170_0000)
		return n / 10_000, !whole
	case has("amount", "price", "total", "cost", "balance", "fee", "tax", "subtotal", "budget", "salary", "revenue"):
		n, _ := span(500, 50_000)
		if whole {
			return n, true
		}
		return n / 100, true
	case has("percent", "percentage", "rate", "ratio", "score", "confidence", "probability"):
		n, _ := span(1, 99)
		if whole || has("percent", "percentage") {
			return n, true
		}
		return n / 100, true
	}
	return r.byCount(words, has, span)
}

func (r *run) byCount(words []string, has func(...string) bool, span func(int, int) (float64, bool)) (float64, bool) {
	switch {
	case has("year"):
		return float64(r.now().Year()), true
	case has("month"):
		return span(1, 12)
	case has("day"):
		return span(1, 28)
	case has("hour"):
		return span(0, 23)
	case has("minute", "second") && len(words) == 1:
		return span(0, 59)
	case has("age"):
		return span(18, 80)
	case has("port"):
		return span(1024, 49_151)
	case has("page"):
		return 1, true
	case has("limit", "per", "pagesize"):
		return 10, true
	case has("offset", "skip", "start", "index", "position", "order", "priority"):
		return span(0, 9)
	case has("version", "revision", "quantity", "qty", "count", "num", "attempts", "retries"):
		return span(1, 9)
	case has("width", "height"):
		return span(100, 2000)
	case has("size", "length", "bytes", "duration"):
		return span(100, 100_000)
	case has("ttl", "timeout", "interval", "seconds"):
		return span(1, 3600)
	default:
		return 0, false
	}
}

// boolean gives an example or default; what is bad news by its name is false.
func (r *run) boolean(sh *shape, at place) any {
	for _, example := range sh.hinted() {
		if b, ok := example.(bool); ok {
			return b
		}
	}
	for _, word := range wordsOf(at.name) {
		switch word {
		case "deleted", "archived", "disabled", "blocked", "suspended", "expired", "revoked", "failed", "error", "hidden", "locked", "banned":
			return false
		case "active", "enabled", "verified", "success", "ok", "valid", "available":
			return true
		}
	}
	return r.pick(at, "bool", 2) == 0
}
