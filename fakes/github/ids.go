package github

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"parity/fakes/github/gitwire"
	"parity/fakes/kit"
)

// Ids are whole numbers that grow with time, as GitHub's do: seconds since 2008
// times slots, and a slot that the call draws.
const slots = 64

var since2008 = time.Date(2008, 1, 1, 0, 0, 0, 0, time.UTC)

// newID draws an id that no record of a collection has.
func (c *call) newID(collection string) int64 {
	n := max(0, int64(c.Now.Sub(since2008)/time.Second))*slots + int64(sum(c.NewID("", 8))%slots)
	for {
		if _, taken := c.get(collection, strconv.FormatInt(n, 10)); !taken {
			return n
		}
		n++
	}
}

func sum(text string) uint64 {
	digest := sha256.Sum256([]byte(text))
	return binary.BigEndian.Uint64(digest[:8])
}

// number gives a record's numeric id: the one that it has, the number that its
// key is, or one that follows from its key.
func number(value map[string]any, field string) int64 {
	if n, ok := value[field].(int64); ok && n > 0 {
		return n
	}
	key := kit.Text(value, "id")
	if n, err := strconv.ParseInt(key, 10, 64); err == nil {
		return n
	}
	return int64(sum(field+key) % 900_000_000 * 2)
}

// nodeID makes the opaque id of GitHub's newer kind: a prefix that tells the
// type, and a packed list of numbers and texts that leads to the record.
// Source: seen in replies since 2021, such as R_kgDOHrjsgg.
func nodeID(prefix string, parts ...any) string {
	packed := []byte{0x90 | byte(len(parts)+1), 0}
	for _, part := range parts {
		switch x := part.(type) {
		case int64:
			if x >= 0 && x < 1<<32 {
				packed = binary.BigEndian.AppendUint32(append(packed, 0xce), uint32(x))
			} else {
				packed = binary.BigEndian.AppendUint64(append(packed, 0xcf), uint64(x))
			}
		case string:
			switch {
			case len(x) < 32:
				packed = append(packed, 0xa0|byte(len(x)))
			case len(x) < 256:
				packed = append(packed, 0xd9, byte(len(x)))
			default:
				packed = binary.BigEndian.AppendUint16(append(packed, 0xda), uint16(len(x)))
			}
			packed = append(packed, x...)
		}
	}
	return prefix + "_" + base64.RawURLEncoding.EncodeToString(packed)
}

// nodeOf gives a record's node id: the one that it has, else one that is made.
func nodeOf(value map[string]any, prefix string, parts ...any) string {
	if id := kit.Text(value, "node_id"); id != "" {
		return id
	}
	return nodeID(prefix, parts...)
}

// nodeIn is the node id of a commit or a reference: of the older kind in
// repositories that have one of that kind themselves.
func nodeIn(r repo, prefix, old, what string) string {
	if strings.HasPrefix(kit.Text(r.value, "node_id"), "MDEw") {
		return base64.StdEncoding.EncodeToString([]byte(old + decimal(r.rid()) + ":" + what))
	}
	return nodeID(prefix, r.rid(), what)
}

// entityTag is the digest that GitHub sends of what it sends.
func entityTag(body []byte, weak bool) string {
	digest := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(digest[:]) + `"`
	if weak {
		return "W/" + tag
	}
	return tag
}

// requestID has the look of GitHub's: groups of hexadecimal digits.
func requestID(drawn string) string {
	digest := sha256.Sum256([]byte(drawn))
	text := strings.ToUpper(hex.EncodeToString(digest[:16]))
	return strings.Join([]string{text[:4], text[4:8], text[8:14], text[14:20], text[20:28]}, ":")
}

// gitSHA is the name that git gives an object.
func gitSHA(kind string, content []byte) string {
	return gitwire.Object{Kind: kind, Data: content}.Name()
}

func isSHA(text string) bool { return len(text) == 40 && isHex(text) }

func isHex(text string) bool {
	for _, r := range text {
		if (r < '0' || r > '9') && (r < 'a' || r > 'f') {
			return false
		}
	}
	return text != ""
}

// next counts one on in a series of a repository: the numbers of its issues
// and pull requests, of its milestones, of its projects.
func (c *call) next(series, repo string, newest func() int64) int64 {
	key := repo + "/" + series
	record, known := c.Tx.Get(countsCollection, key)
	if !known {
		n := newest() + 1
		_, err := c.Tx.Insert(countsCollection, key, map[string]any{"id": key, "last": n})
		must(err)
		return n
	}
	last, _ := record.Value()["last"].(int64)
	_, err := c.Tx.Update(countsCollection, key, map[string]any{"id": key, "last": last + 1})
	must(err)
	return last + 1
}

// issueKey is the key of what has a number in a repository.
func issueKey(repo string, number int64) string {
	return repo + "#" + strconv.FormatInt(number, 10)
}
