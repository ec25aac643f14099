package notion

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// Where files are served, and for how long an address is good.
// Source: developers.notion.com, Retrieving existing files.
const (
	filesHost   = "https://prod-files-secure.s3.us-west-2.amazonaws.com"
	filesPath   = "/secure/"
	addressLife = time.Hour
	stampLayout = "20060102T150405Z"
)

// readFileID is the operation that serves a file's bytes. Its address is the
// credential.
const readFileID = "read-a-file"

// filesBase is where files are served: Notion's own host, or below the base URL
// that the client uses.
func (c *call) filesBase() string {
	u, err := url.Parse(c.Base)
	if err != nil || u.Host == "" || u.Hostname() == "api.notion.com" {
		return filesHost
	}
	return strings.TrimSuffix(c.Base, "/")
}

// address is where an uploaded file can be read from now on, for an hour.
func (c *call) address(id, filename string) map[string]any {
	at := c.Now.UTC()
	path := filesPath + kit.Text(c.space, "workspace_id") + "/" + id + "/" + url.PathEscape(filename)
	query := url.Values{
		"X-Amz-Algorithm": {"AWS4-HMAC-SHA256"}, "X-Amz-Date": {at.Format(stampLayout)},
		"X-Amz-Expires": {strconv.Itoa(int(addressLife / time.Second))}, "X-Amz-Signature": {sealed(id, at)}, "X-Amz-SignedHeaders": {"host"},
	}
	return map[string]any{"url": c.filesBase() + path + "?" + query.Encode(), "expiry_time": at.Add(addressLife).Format(timeLayout)}
}

// sealed is the signature of an address. Nobody here has Amazon's key.
func sealed(id string, at time.Time) string {
	sum := sha256.Sum256([]byte("parity " + id + " " + at.Format(stampLayout)))
	return hex.EncodeToString(sum[:])
}

// readdressed gives a reply whose uploaded files can be read now: each reading
// gives fresh addresses. What it does not change it shares.
func (c *call) readdressed(value any) (fresh any, changed bool) {
	switch v := value.(type) {
	case []any:
		out := v
		for i, item := range v {
			if inner, moved := c.readdressed(item); moved {
				if !changed {
					out, changed = append([]any{}, v...), true
				}
				out[i] = inner
			}
		}
		return out, changed
	case map[string]any:
		out := v
		for field, item := range v {
			inner, moved := c.readdressed(item)
			if id, filename, ok := uploadAt(kit.Text(cast.Object(item), "url")); ok && field == "file" {
				inner, moved = c.address(id, filename), true
			}
			if moved {
				if !changed {
					out, changed = maps.Clone(v), true
				}
				out[field] = inner
			}
		}
		return out, changed
	}
	return value, false
}

// uploadAt reads which upload an address is of.
func uploadAt(address string) (id, filename string, ok bool) {
	_, rest, found := strings.Cut(address, filesPath)
	path, _, _ := strings.Cut(rest, "?")
	parts := strings.Split(path, "/")
	if !found || len(parts) != 3 {
		return "", "", false
	}
	id, ok = uuidOf(parts[1])
	filename, err := url.PathUnescape(parts[2])
	return id, filename, ok && err == nil
}

// readFile serves a file's bytes, as Amazon does.
func (c *call) readFile() fakes.Reply {
	at, err := time.Parse(stampLayout, c.query("X-Amz-Date"))
	id, _ := uuidOf(c.Input.Path["upload_id"])
	record, ok := c.find(fileUploads, id)
	switch {
	case err != nil || c.query("X-Amz-Signature") != sealed(id, at):
		return amazonError(http.StatusForbidden, "SignatureDoesNotMatch", "The request signature we calculated does not match the signature you provided. Check your key and signing method.")
	case c.Now.After(at.Add(addressLife)):
		return amazonError(http.StatusForbidden, "AccessDenied", "Request has expired")
	case !ok || record.Value()["status"] != "uploaded":
		return amazonError(http.StatusNotFound, "NoSuchKey", "The specified key does not exist.")
	}
	kind := kit.Text(record.Value(), "content_type")
	if kind == "" {
		kind = "binary/octet-stream"
	}
	size, _ := record.Value()["content_length"].(int64)
	content := ""
	for n := range int64(max(1, len(cast.Object(record.Value()["contents"])))) {
		content += kit.Text(cast.Object(record.Value()["contents"]), strconv.FormatInt(n+1, 10))
	}
	if int64(len(content)) != size {
		content = "" // a part of it is not kept
	}
	return fakes.Reply{Status: http.StatusOK, Header: kit.Headers("Content-Type", kind, "Accept-Ranges", "bytes", "Server", "AmazonS3"), Body: kit.FileBytes(size, content)}
}

func amazonError(status int, code, message string) fakes.Reply {
	body := `<?xml version="1.0" encoding="UTF-8"?>` + "\n<Error><Code>" + code + "</Code><Message>" + message + "</Message></Error>"
	return fakes.Reply{Status: status, Header: kit.Headers("Content-Type", "application/xml", "Server", "AmazonS3"), Body: []byte(body)}
}
