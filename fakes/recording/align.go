package recording

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An Alignment knows which of our values stands for which of theirs.
type Alignment struct {
	ours map[string]string // by theirs
	form map[string]string // of theirs that have another form, ours as it was given
	said strings.Builder   // what client and service have said so far: nobody made it up anew
}

// NewAlignment knows nothing yet.
func NewAlignment() *Alignment {
	return &Alignment{ours: map[string]string{}, form: map[string]string{}}
}

// Knew adds a text that was known before: values in it are not made up later.
func (a *Alignment) Knew(text string) { a.said.WriteString(text + "\n") }

// Ours puts our values in place of theirs, in an address or a body.
func (a *Alignment) Ours(text string) string {
	theirs := make([]string, 0, len(a.ours))
	for id := range a.ours {
		if len(id) > 3 && strings.Contains(text, id) || len(id) > 3 && strings.Contains(text, url.QueryEscape(id)) {
			theirs = append(theirs, id)
		}
	}
	slices.SortFunc(theirs, func(x, y string) int { return len(y) - len(x) }) // an id may be part of a longer one
	pairs := make([]string, 0, 4*len(theirs))
	for _, id := range theirs {
		pairs = append(pairs, id, a.ours[id])
		if escaped := url.QueryEscape(id); escaped != id {
			pairs = append(pairs, escaped, url.QueryEscape(a.ours[id]))
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// same tells whether our text stands for theirs under a name, and learns that
// it does where the service made theirs up.
func (a *Alignment) same(name, theirs, ours string) bool {
	switch {
	case theirs == ours, a.Ours(theirs) == ours:
		return true
	case theirs == "": // which is no id, and stands for none
		return false
	}
	if known, ok := a.ours[theirs]; ok {
		return known == ours
	}
	if a.begins(theirs, ours) {
		a.learn(theirs, ours)
		return true
	}
	fresh := ours != "" && !(len(theirs) > 3 && strings.Contains(a.said.String(), theirs))
	switch {
	case strings.HasSuffix(strings.ToLower(name), "cursor") && theirs != "" && ours != "": // made up with every page
		a.learn(theirs, ours)
		return true
	case naming().MatchString(name) && fresh && !strings.Contains(theirs, "://"): // ids may look like times
		a.learn(theirs, ours)
		return true
	case instant(theirs):
		return instant(ours)
	case strings.Contains(theirs, "://"):
		return a.sameAddress(theirs, ours)
	case masked().MatchString(theirs):
		return a.fits(theirs, ours)
	case placeholder().MatchString(theirs) && ours != "":
		a.ours[theirs] = ours // alike in every place, so it has to be ours there too
		return true
	case made(name, theirs) && fresh:
		a.learn(theirs, ours)
		return true
	}
	return false
}

// learn keeps which of our values stands for one of theirs. A UUID is the same
// with dashes and without.
func (a *Alignment) learn(theirs, ours string) {
	a.ours[theirs] = ours
	dashed, plain, ok := bothForms(theirs)
	if !ok {
		return
	}
	mine, bare, ok := bothForms(ours)
	if !ok {
		mine, bare = ours, ours
	}
	a.ours[dashed], a.ours[plain] = mine, bare
	a.form[dashed], a.form[plain] = ours, ours
}

// bothForms writes a UUID with dashes and without.
func bothForms(text string) (dashed, plain string, ok bool) {
	if !uuids().MatchString(text) {
		return "", "", false
	}
	plain = strings.ReplaceAll(text, "-", "")
	return strings.Join([]string{plain[:8], plain[8:12], plain[12:16], plain[16:20], plain[20:]}, "-"), plain, true
}

// begins tells whether a text is the beginning of one that ours stands for, and
// ours of that: where a service shows as much of an id as there is room for.
func (a *Alignment) begins(theirs, ours string) bool {
	const shortest = 16
	if len(theirs) < shortest || len(ours) < shortest {
		return false
	}
	for known, mine := range a.ours {
		if strings.HasPrefix(known, theirs) && strings.HasPrefix(mine, ours) {
			return true
		}
	}
	return false
}

// fits holds our text against one of theirs in which an address or a name was
// masked: what is left of theirs has to be in ours, in that order.
func (a *Alignment) fits(theirs, ours string) bool {
	for i, piece := range masked().Split(theirs, -1) {
		piece = a.Ours(piece)
		at := strings.Index(ours, piece)
		if at < 0 || i == 0 && at > 0 {
			return false
		}
		ours = ours[at+len(piece):]
	}
	return true
}

// OursAt is Ours for an address: a segment of its path that is an id is one
// however short it is, and has the form in which our service gave it.
func (a *Alignment) OursAt(address string) string {
	path, query, asked := strings.Cut(address, "?")
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if id, known := a.form[segment]; known {
			segments[i] = id
		} else if id, known := a.ours[segment]; known {
			segments[i] = id
		} else {
			segments[i] = a.Ours(segment)
		}
	}
	query = a.Ours(query)
	path = strings.Join(segments, "/")
	if asked {
		path += "?" + query
	}
	return path
}

// sameAddress compares two addresses, segment by segment.
func (a *Alignment) sameAddress(theirs, ours string) bool {
	t, err := url.Parse(theirs)
	o, err2 := url.Parse(ours)
	if err != nil || err2 != nil || t.Host != o.Host {
		return false
	}
	x, y := strings.Split(t.EscapedPath(), "/"), strings.Split(o.EscapedPath(), "/")
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !a.same("", x[i], y[i]) {
			return false
		}
	}
	for name := range t.Query() {
		if !o.Query().Has(name) {
			return false
		}
	}
	return true
}

var (
	opaque = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Za-z0-9_.:=/+-]*[0-9][A-Za-z0-9_.:=/+-]*$|^[A-Za-z0-9_=/+-]{16,}$`)
	})
	uuids = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^[0-9a-f]{8}(-?)[0-9a-f]{4}(-?)[0-9a-f]{4}(-?)[0-9a-f]{4}(-?)[0-9a-f]{12}$`)
	})
	naming = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(^|_|\b)(id|ids|sha|ts|etag|key|hash|secret|token|cursor|number|prefix|fingerprint|vid|oid)$|(Id|ID|Etag|UID)$|^(href|link|url)$`)
	})
	// placeholder stands where whoever published a recording took a text out.
	placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^Redacted [A-Za-z_]+ [0-9a-f]{6}$`) })
	// masked are mail addresses and names that stand for those of real people.
	masked = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[A-Za-z0-9_.+-]+@(example\.(com|org|net)|domain[0-9]+\.example|users\.noreply\.github\.com)|^Person [A-Z][0-9]+$|^Redacted$`)
	})
	decimal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]{10}(\.[0-9]+)?$|^[0-9]{13}$`) })
)

// made tells whether a text looks as if the service had made it up.
func made(name, text string) bool {
	return naming().MatchString(name) || len(text) >= 8 && opaque().MatchString(strings.Trim(text, `"`))
}

// instant tells whether a text is a time.
func instant(text string) bool {
	if decimal().MatchString(text) {
		n, err := strconv.ParseFloat(text, 64)
		return err == nil && when(n)
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.000-0700", "2006-01-02 15:04:05 -0700", time.RFC1123, "2006-01-02T15:04Z"} {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return false
}

// when tells whether a number counts seconds or milliseconds to some time from
// 2005 on.
func when(n float64) bool {
	return n > 1.1e9 && n < 2.6e9 || n > 1.1e12 && n < 2.6e12
}
