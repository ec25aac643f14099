package github

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parity/fakes/cast"
	"parity/fakes/github/gitwire"
	"parity/fakes/kit"
)

// encoded gives the bytes that an object's name is the digest of. Of one that a
// recorded reply mentions they are not known.
func (o object) encoded() ([]byte, bool) {
	data := []byte(kit.Text(o.value, "bytes"))
	if packed := kit.Text(o.value, "bytes64"); packed != "" {
		var err error
		data, err = base64.StdEncoding.DecodeString(packed)
		must(err)
	}
	if len(data) == 0 {
		data = fromFields(o)
	}
	return data, gitSHA(o.kind(), data) == o.sha
}

// exact keeps the bytes of an object as they are where its fields would not give
// them: a zone, a signature, an odd mode.
func exact(sha string, data []byte, value map[string]any) map[string]any {
	switch {
	case bytes.Equal(fromFields(object{sha, value}), data):
	case utf8.Valid(data):
		value["bytes"] = string(data)
	default:
		value["bytes64"] = base64.StdEncoding.EncodeToString(data)
	}
	return value
}

// fromFields makes the bytes of an object of what is kept of it.
func fromFields(o object) []byte {
	switch o.kind() {
	case blobKind:
		return o.content()
	case treeKind:
		return treeBytes(o.entries())
	case tagKind:
		return tagBytes(kit.Text(o.value, "object"), kit.Text(o.value, "type"), kit.Text(o.value, "tag"), personOf(o.value, "tagger"), kit.Text(o.value, "message"))
	}
	return commitBytes(o.tree(), o.parents(), personOf(o.value, "author"), personOf(o.value, "committer"), kit.Text(o.value, "message"))
}

func treeBytes(all []entry) []byte {
	var data bytes.Buffer
	for _, e := range all {
		raw, err := hex.DecodeString(e.sha)
		must(err)
		data.WriteString(strings.TrimPrefix(e.mode, "0") + " " + e.path + "\x00")
		data.Write(raw)
	}
	return data.Bytes()
}

func commitBytes(tree string, parents []string, author, committer person, message string) []byte {
	var text strings.Builder
	text.WriteString("tree " + tree + "\n")
	for _, parent := range parents {
		text.WriteString("parent " + parent + "\n")
	}
	text.WriteString("author " + author.line() + "\ncommitter " + committer.line() + "\n\n" + message)
	return []byte(text.String())
}

func tagBytes(object, kind, name string, tagger person, message string) []byte {
	return []byte("object " + object + "\ntype " + kind + "\ntag " + name + "\ntagger " + tagger.line() + "\n\n" + message)
}

// personOf is who an object says made it; in no zone but Greenwich's.
func personOf(value map[string]any, field string) person {
	p := cast.Object(value[field])
	return person{name: kit.Text(p, "name"), email: kit.Text(p, "email"), at: dateOf(p, time.Time{}), zone: "+0000"}
}

// decoded reads an object that a client pushed; false: it is none of git's.
func decoded(o gitwire.Object) (object, bool) {
	sha := o.Name()
	var value map[string]any
	switch o.Kind {
	case blobKind:
		value = blobValue(o.Data)
	case treeKind:
		all, ok := readTree(o.Data)
		if !ok {
			return object{}, false
		}
		value = treeValue(all)
	default:
		var ok bool
		if value, ok = readHeaders(o); !ok {
			return object{}, false
		}
	}
	return object{sha, exact(sha, o.Data, value)}, true
}

func readTree(data []byte) ([]entry, bool) {
	all := []entry{}
	for len(data) > 0 {
		mode, rest, ok := bytes.Cut(data, []byte(" "))
		path, rest, named := bytes.Cut(rest, []byte{0})
		if !ok || !named || len(rest) < 20 || len(mode) < 5 || len(mode) > 6 || len(path) == 0 || bytes.ContainsRune(path, '/') || !utf8.Valid(path) {
			return nil, false
		}
		if _, err := strconv.ParseUint(string(mode), 8, 32); err != nil {
			return nil, false
		}
		all = append(all, entry{string(path), strings.Repeat("0", 6-len(mode)) + string(mode), hex.EncodeToString(rest[:20])})
		data = rest[20:]
	}
	return all, true
}

// readHeaders reads a commit or a tag: headers, an empty line, a message.
func readHeaders(o gitwire.Object) (map[string]any, bool) {
	head, message, _ := strings.Cut(strings.ToValidUTF8(string(o.Data), "\uFFFD"), "\n\n")
	value := map[string]any{"kind": o.Kind, "message": strings.TrimSuffix(message, "\n")}
	parents := []any{}
	for line := range strings.SplitSeq(head, "\n") {
		name, rest, _ := strings.Cut(line, " ")
		switch name {
		case "tree", "object", "type", "tag":
			value[name] = rest
		case "parent":
			if !isSHA(rest) {
				return nil, false
			}
			parents = append(parents, rest)
		case "author", "committer", "tagger":
			p, ok := readPerson(rest)
			if !ok {
				return nil, false
			}
			value[name] = p.kept()
		}
	}
	if o.Kind == tagKind {
		return value, isSHA(kit.Text(value, "object")) && kit.Text(value, "tag") != ""
	}
	value["parents"] = parents
	return value, isSHA(kit.Text(value, "tree")) && value["author"] != nil && value["committer"] != nil
}

// readPerson reads who made an object, and when: Ada <ada@x> 1700000000 +0100.
func readPerson(text string) (person, bool) {
	name, rest, ok := strings.Cut(text, "<")
	email, rest, closed := strings.Cut(rest, ">")
	seconds, zone, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, err := strconv.ParseInt(seconds, 10, 64)
	if !ok || !closed || err != nil || n < 0 || n > 1<<40 {
		return person{}, false
	}
	return person{name: strings.TrimSpace(name), email: email, at: time.Unix(n, 0).UTC(), zone: zone}, true
}
