package googlecalendar

import (
	"crypto/sha1"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// syncLife is how long a sync token lasts, and how far back updatedMin may
// reach. Google says that tokens expire, not when.
const syncLife = 28 * day

// syncToken writes a token as Google's look: numbers and a text, in base64.
//
//	08 <state, in microseconds> 12 <length> <what it is of> 18 <when it was given, in seconds>
func syncToken(stamp int64, of string, now time.Time) string {
	data := binary.AppendUvarint([]byte{0x08}, uint64(max(stamp, 0)))
	data = binary.AppendUvarint(append(data, 0x12), uint64(len(of)))
	data = append(append(data, of...), 0x18)
	return base64.URLEncoding.EncodeToString(binary.AppendUvarint(data, uint64(max(now.Unix(), 0))))
}

// synced reads a sync token of something.
func synced(token, of string) (stamp int64, given time.Time, ok bool) {
	data, err := base64.URLEncoding.DecodeString(token)
	number := func(tag byte) int64 {
		if ok = len(data) > 1 && data[0] == tag; !ok {
			return 0
		}
		value, n := binary.Uvarint(data[1:])
		if ok = n > 0 && value < 1<<62; ok {
			data = data[1+n:]
		}
		return int64(value)
	}
	stamp = number(0x08)
	if err != nil || !ok {
		return 0, given, false
	}
	length := number(0x12)
	if !ok || length > int64(len(data)) || string(data[:length]) != of {
		return 0, given, false
	}
	data = data[length:]
	given = time.Unix(number(0x18), 0)
	return stamp, given, ok && len(data) == 0
}

// tokenAt is the sync token of a list in some state: the real service's own
// where that was seen, so that a client can go on with it.
func (c *call) tokenAt(list, of string, stamp int64) string {
	token, at := c.seenToken(list)
	if token != "" && at == stamp {
		return token
	}
	return syncToken(stamp, of, c.Now)
}

func (c *call) seenToken(list string) (token string, stamp int64) {
	account, _ := c.get(accounts, me)
	seen, _ := cast.Object(account["synced"])[list].(map[string]any)
	stamp, _ = seen["stamp"].(int64)
	return kit.Text(seen, "token"), stamp
}

// since reads the sync token of a list; ok is false where there is none.
func (c *call) since(list, of string, restricted []string) (stamp int64, ok bool, refused *refusal) {
	token := c.query("syncToken")
	if token == "" {
		return 0, false, nil
	}
	for _, narrow := range restricted {
		if !c.sent(narrow) {
			continue
		}
		if narrow == "orderBy" {
			return 0, false, refused400("Sync token cannot be used with non-default ordering.")
		}
		return 0, false, refused400("Sync token cannot be used with other request restrictions.")
	}
	stamp, given, good := synced(token, of)
	if seen, at := c.seenToken(list); seen == token {
		stamp, given, good = at, c.Now, true
	}
	switch {
	case !good:
		return 0, false, invalid("Invalid sync token value.")
	case c.Now.Sub(given) > syncLife:
		return 0, false, fullSync()
	}
	return stamp, true, nil
}

// changes reads the parameters that ask for what changed.
func (l *listing) changes() *refusal {
	c := l.call
	stamp, ok, refused := c.since(events+":"+l.of, l.of, restrictions())
	if refused != nil {
		return refused
	}
	if ok {
		l.since, l.syncs = max(stamp, 1), true
		return nil
	}
	after, ok, refused := c.instant("updatedMin")
	if refused != nil || !ok {
		return refused
	}
	if c.Now.Sub(after) > syncLife {
		r := parameter("updatedMin", "updatedMinTooLongAgo", "The requested minimum modification time lies too far in the past.")
		r.status, r.domain = 410, ofCalendar
		return r
	}
	l.since = max(after.UnixMicro()-1, 1)
	return nil
}

// pageToken says where the next page begins: in the real service's own words,
// where those were seen.
// after is the last item before that: it may be gone when the next page is
// asked for, and what is left must not move up unseen.
func (c *call) pageToken(skip int, after string) string {
	if token, at := c.seenToken(c.pageKey(skip)); token != "" && at == int64(skip) {
		return token
	}
	return base64.URLEncoding.EncodeToString(append([]byte{0x3a, 0x06}, "page:"+strconv.Itoa(skip)+":"+after...))
}

// pageKey names the next page of a list: one with other parameters is another.
func (c *call) pageKey(skip int) string {
	narrow := make([]string, 0, len(c.Input.Query))
	for _, name := range slices.Sorted(maps.Keys(c.Input.Query)) {
		if name != "pageToken" && name != "maxResults" {
			narrow = append(narrow, name+"="+fmt.Sprint(c.Input.Query[name]))
		}
	}
	return "page:" + kit.Path(c.Operation.Path, c.Input.Path) + "?" + strings.Join(narrow, "&") + "#" + strconv.Itoa(skip)
}

// seenPage finds where a page begins that the real service named.
func (c *call) seenPage(token string) (int, bool) {
	account, _ := c.get(accounts, me)
	for of, item := range cast.Object(account["synced"]) {
		seen, _ := item.(map[string]any)
		if skip, ok := seen["stamp"].(int64); ok && seen["token"] == token && of == c.pageKey(int(skip)) {
			return int(skip), true
		}
	}
	return 0, false
}

// skipped reads a page token.
func (c *call) skipped() (int, *refusal) {
	skip, _, refused := c.resumed()
	return skip, refused
}

// resumed reads a page token, and what the last item before the page was.
func (c *call) resumed() (skip int, after string, refused *refusal) {
	token := c.query("pageToken")
	if token == "" {
		return 0, "", nil
	}
	if skip, seen := c.seenPage(token); seen {
		return skip, "", nil
	}
	data, err := base64.URLEncoding.DecodeString(token)
	text, ok := strings.CutPrefix(string(data), "\x3a\x06page:")
	number, after, _ := strings.Cut(text, ":")
	skip, err2 := strconv.Atoi(number)
	if err != nil || !ok || err2 != nil || skip < 0 {
		return 0, "", badPage()
	}
	return skip, after, nil
}

// listTag is the etag of a list.
func listTag(parts ...string) string {
	sum := sha1.Sum([]byte(strings.Join(parts, "\n")))
	return `"p3` + strings.ToLower(base32.HexEncoding.EncodeToString(sum[:]))[:12] + `0o"`
}
