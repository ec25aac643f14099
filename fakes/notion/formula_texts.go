package notion

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// longestMade is how long a text may be that a formula makes by repeating.
const longestMade = 100_000

func wording() map[string]function {
	all := map[string]function{
		"length": eager(1, 1, func(_ *evaluation, v []any) any {
			if list, ok := v[0].([]any); ok {
				return float64(len(list))
			}
			return float64(units(said(v[0])))
		}),
		"format":     eager(1, 1, func(_ *evaluation, v []any) any { return said(v[0]) }),
		"lower":      eager(1, 1, func(_ *evaluation, v []any) any { return strings.ToLower(said(v[0])) }),
		"upper":      eager(1, 1, func(_ *evaluation, v []any) any { return strings.ToUpper(said(v[0])) }),
		"trim":       eager(1, 1, func(_ *evaluation, v []any) any { return strings.TrimSpace(said(v[0])) }),
		"link":       eager(2, 2, func(_ *evaluation, v []any) any { return said(v[0]) }),
		"contains":   eager(2, 2, func(_ *evaluation, v []any) any { return strings.Contains(said(v[0]), said(v[1])) }),
		"startsWith": eager(2, 2, func(_ *evaluation, v []any) any { return strings.HasPrefix(said(v[0]), said(v[1])) }),
		"endsWith":   eager(2, 2, func(_ *evaluation, v []any) any { return strings.HasSuffix(said(v[0]), said(v[1])) }),
		"substring": eager(2, 3, func(_ *evaluation, v []any) any {
			runes := []rune(said(v[0]))
			place := func(v any) int { return min(max(int(number(v)), 0), len(runes)) }
			from, to := place(v[1]), len(runes)
			if len(v) == 3 {
				to = place(v[2])
			}
			return string(runes[min(from, to):to])
		}),
		"split": eager(1, 2, func(_ *evaluation, v []any) any {
			all, by := []any{}, ""
			if len(v) == 2 {
				by = said(v[1])
			}
			for _, part := range strings.Split(said(v[0]), by) {
				all = append(all, part)
			}
			return all
		}),
	}
	for name, f := range widening() {
		all[name] = f
	}
	for name, f := range patterns() {
		all[name] = f
	}
	return all
}

// widening makes texts longer.
func widening() map[string]function {
	return map[string]function{
		"repeat": eager(2, 2, func(e *evaluation, v []any) any { return e.repeated(said(v[0]), int(number(v[1]))) }),
		"padStart": eager(3, 3, func(e *evaluation, v []any) any {
			return e.padding(said(v[0]), int(number(v[1])), said(v[2])) + said(v[0])
		}),
		"padEnd": eager(3, 3, func(e *evaluation, v []any) any {
			return said(v[0]) + e.padding(said(v[0]), int(number(v[1])), said(v[2]))
		}),
	}
}

// patterns look into texts by regular expressions.
func patterns() map[string]function {
	all := map[string]function{}
	all["test"] = patterned(2, func(re *regexp.Regexp, v []any) any { return re.MatchString(said(v[0])) })
	all["match"] = patterned(2, func(re *regexp.Regexp, v []any) any {
		found := []any{}
		for _, text := range re.FindAllString(said(v[0]), -1) {
			found = append(found, text)
		}
		return found
	})
	all["replaceAll"] = patterned(3, func(re *regexp.Regexp, v []any) any { return re.ReplaceAllString(said(v[0]), goTemplate(said(v[2]))) })
	all["replace"] = patterned(3, func(re *regexp.Regexp, v []any) any {
		text := said(v[0])
		at := re.FindStringSubmatchIndex(text)
		if at == nil {
			return text
		}
		return text[:at[0]] + string(re.ExpandString(nil, goTemplate(said(v[2])), text, at)) + text[at[1]:]
	})
	return all
}

// patterned is a function whose second argument is a regular expression. What
// RE2 cannot do (looking around, referring back) gives nothing.
func patterned(arguments int, f func(*regexp.Regexp, []any) any) function {
	return eager(arguments, arguments, func(e *evaluation, v []any) any {
		pattern := said(v[1])
		e.spend(1 + len(pattern)/8 + len(said(v[0]))/32)
		re, err := regexp.Compile(pattern)
		if err != nil {
			return nil
		}
		return f(re, v)
	})
}

var group = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$(\d+)`) })

// goTemplate spells the groups of a replacement as Go does.
func goTemplate(text string) string { return group().ReplaceAllString(text, `$${$1}`) }

func (e *evaluation) repeated(text string, n int) string {
	if n < 1 || text == "" {
		return ""
	}
	n = min(n, longestMade/len(text)+1)
	e.spend(n * len(text) / 64)
	return strings.Repeat(text, n)
}

// padding fills a text up to a length.
func (e *evaluation) padding(text string, length int, with string) string {
	short := min(length, longestMade) - len([]rune(text))
	if short <= 0 || with == "" {
		return ""
	}
	return string([]rune(e.repeated(with, short))[:short])
}

// parsed reads the number that a text begins with.
func parsed(text string) (float64, bool) {
	text = strings.ReplaceAll(strings.TrimSpace(text), ",", "")
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}
