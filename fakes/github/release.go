package github

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// uploads is where assets are sent to: a host of its own, where the client
// reached GitHub under its own name.
func (c *call) uploads() string {
	if c.Base == "https://api.github.com" {
		return "https://uploads.github.com"
	}
	return c.Base
}

func (c *call) showRelease(r repo, value map[string]any) map[string]any {
	id, tag := number(value, "id"), kit.Text(value, "tag_name")
	at := c.at(r) + "/releases/" + decimal(id)
	created := textOr(value, "created_at", c.now())
	assets := []any{}
	for _, record := range c.assetsOf(id) {
		assets = append(assets, c.showAsset(r, tag, record.Value()))
	}
	return overlaid(map[string]any{
		"url": at, "assets_url": at + "/assets", "upload_url": c.uploads() + "/repos/" + r.full() + "/releases/" + decimal(id) + "/assets{?name,label}",
		"html_url": c.page(r) + "/releases/tag/" + escapePath(tag), "id": id, "author": c.brief(textOr(value, "author", r.owner())),
		"node_id": nodeID("RE", r.rid(), id), "tag_name": tag, "target_commitish": textOr(value, "target_commitish", r.branch()), "name": value["name"],
		"draft": value["draft"] == true, "prerelease": value["prerelease"] == true, "immutable": false, "created_at": created,
		"updated_at": created, "published_at": value["published_at"], "assets": assets,
		"tarball_url": c.at(r) + "/tarball/" + escapePath(tag), "zipball_url": c.at(r) + "/zipball/" + escapePath(tag), "body": value["body"],
	}, value)
}

func (c *call) assetsOf(release int64) []*world.Record {
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, releaseAssets, "release", decimal(release)) {
		all = append([]*world.Record{record}, all...)
	}
	return all
}

func (c *call) releaseAt(r repo) (*world.Record, *refusal) {
	record, ok := c.get(releases, c.path("release_id"))
	if !ok || kit.Text(record.Value(), "repo") != r.key() || record.Value()["draft"] == true && !c.may(r, levelWrite) {
		return nil, notFound()
	}
	return record, nil
}

func (c *call) releaseByTag(r repo, tag string) *world.Record {
	for record := range c.fake.store.Find(c.Tx, releases, "repo", r.key()) {
		if kit.Text(record.Value(), "tag_name") == tag && record.Value()["draft"] != true {
			return record
		}
	}
	return nil
}

func listReleases(c *call, r repo) (answer, *refusal) {
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, releases, "repo", r.key()) {
		if record.Value()["draft"] != true || c.may(r, levelWrite) {
			all = append(all, record)
		}
	}
	return listed(c, all, func(record *world.Record) any { return c.showRelease(r, record.Value()) }), nil
}

func getRelease(c *call, r repo, record *world.Record) (answer, *refusal) {
	return answer{value: c.showRelease(r, record.Value())}, nil
}

func getReleaseByTag(c *call, r repo) (answer, *refusal) {
	record := c.releaseByTag(r, c.path("tag"))
	if record == nil {
		return answer{}, notFound()
	}
	return answer{value: c.showRelease(r, record.Value())}, nil
}

func getLatestRelease(c *call, r repo) (answer, *refusal) {
	for record := range c.fake.store.Find(c.Tx, releases, "repo", r.key()) {
		if record.Value()["draft"] != true && record.Value()["prerelease"] != true {
			return answer{value: c.showRelease(r, record.Value())}, nil
		}
	}
	return answer{}, notFound()
}

// readRelease lays what a request says over a release, and makes the tag of one
// that is published.
func (c *call) readRelease(r repo, value map[string]any) *refusal {
	for _, field := range []string{"tag_name", "target_commitish", "name", "body", "draft", "prerelease"} {
		if c.has(field) {
			value[field] = c.Input.Body[field]
		}
	}
	tag := kit.Text(value, "tag_name")
	if strings.TrimSpace(tag) == "" || !goodRef(tags+tag) {
		return failed(wrong("Release", "tag_name", codeInvalid))
	}
	if other := c.releaseByTag(r, tag); other != nil && other.ID != kit.Text(value, "id") {
		return failed(wrong("Release", "tag_name", codeExists))
	}
	if value["draft"] == true {
		return nil
	}
	if _, ok := c.ref(r, tags+tag); !ok {
		sha, known := c.resolve(r, textOr(value, "target_commitish", r.branch()))
		switch {
		case c.tip(r) == "":
			return failed(custom("Release", "Repository is empty."))
		case !known:
			return failed(wrong("Release", "target_commitish", codeInvalid))
		}
		c.setRef(r, tags+tag, sha, commitKind)
		c.pushedRef(r, tags+tag, "", sha)
	}
	if kit.Text(value, "published_at") == "" {
		value["published_at"] = c.now()
		c.published(r, value)
	}
	return nil
}

// published puts a release into the outbox: those who watch get mail.
func (c *call) published(r repo, value map[string]any) {
	if c.Identity == fakes.Fixture {
		return
	}
	must(kit.Send(c.Tx, fakes.Sent{
		Service: name, Kind: "release", ID: kit.Text(value, "id"), To: []string{"watchers of " + r.full()}, At: c.Now,
		Summary: r.full() + " " + kit.Text(value, "tag_name") + ": " + kit.Clip(kit.Text(value, "name")),
		Content: map[string]any{"repository": r.full(), "tag_name": value["tag_name"], "name": value["name"], "body": value["body"]},
	}))
}

func createRelease(c *call, r repo) (answer, *refusal) {
	value := map[string]any{
		"id": decimal(c.newID(releases)), "repo": r.key(), "author": c.loginOf(c.viewer), "created_at": c.now(), "published_at": nil,
		"draft": false, "prerelease": false, "name": nil, "body": nil,
	}
	if refused := c.readRelease(r, value); refused != nil {
		return answer{}, refused
	}
	shown := c.showRelease(r, c.create(releases, value).Value())
	c.notify(r, "release", map[string]any{"action": "created", "release": shown})
	if value["draft"] != true {
		c.notify(r, "release", map[string]any{"action": "published", "release": shown})
	}
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

func updateRelease(c *call, r repo, record *world.Record) (answer, *refusal) {
	value := changed(record)
	if refused := c.readRelease(r, value); refused != nil {
		return answer{}, refused
	}
	shown := c.showRelease(r, c.update(releases, value).Value())
	c.notify(r, "release", map[string]any{"action": "edited", "release": shown})
	return answer{value: shown}, nil
}

func deleteRelease(c *call, r repo, record *world.Record) (answer, *refusal) {
	c.notify(r, "release", map[string]any{"action": "deleted", "release": c.showRelease(r, record.Value())})
	for _, asset := range c.assetsOf(number(record.Value(), "id")) {
		c.remove(releaseAssets, asset.ID)
	}
	c.remove(releases, record.ID)
	return answer{status: http.StatusNoContent}, nil
}

func (c *call) showAsset(r repo, tag string, value map[string]any) map[string]any {
	id := number(value, "id")
	created := textOr(value, "created_at", c.now())
	return overlaid(map[string]any{
		"url": c.at(r) + "/releases/assets/" + decimal(id), "id": id, "node_id": nodeID("RA", r.rid(), id), "name": value["name"], "label": value["label"],
		"uploader": c.user(textOr(value, "uploader", r.owner())), "content_type": textOr(value, "content_type", "application/octet-stream"),
		"state": textOr(value, "state", "uploaded"), "size": cast.Int(value["size"]), "digest": value["digest"], "download_count": cast.Int(value["download_count"]),
		"created_at": created, "updated_at": textOr(value, "updated_at", created),
		"browser_download_url": c.page(r) + "/releases/download/" + escapePath(tag) + "/" + escapePath(kit.Text(value, "name")),
	}, value)
}

func listAssets(c *call, r repo, release *world.Record) (answer, *refusal) {
	tag := kit.Text(release.Value(), "tag_name")
	return listed(c, c.assetsOf(number(release.Value(), "id")), func(record *world.Record) any { return c.showAsset(r, tag, record.Value()) }), nil
}

func uploadAsset(c *call, r repo, release *world.Record) (answer, *refusal) {
	text := c.query("name")
	id := number(release.Value(), "id")
	for _, other := range c.assetsOf(id) {
		if kit.Text(other.Value(), "name") == text {
			r := failed(wrong("ReleaseAsset", "name", codeExists))
			r.docs, r.more = docsRoot, map[string]any{"request_id": requestID(c.NewID("", 20))}
			return answer{}, r
		}
	}
	if len(c.Body) == 0 {
		return answer{}, refusing(http.StatusBadRequest, "Bad Content-Length: 0")
	}
	digest := sha256.Sum256(c.Body)
	value := map[string]any{
		"id": decimal(c.newID(releaseAssets)), "repo": r.key(), "release": id, "name": text, "label": "", "content_type": textOr(map[string]any{"t": c.Header.Get("Content-Type")}, "t", "application/octet-stream"),
		"size": int64(len(c.Body)), "state": "uploaded", "uploader": c.loginOf(c.viewer), "created_at": c.now(), "updated_at": c.now(),
		"digest": "sha256:" + hex.EncodeToString(digest[:]), "download_count": int64(0), "bytes": base64.StdEncoding.EncodeToString(c.Body),
	}
	if label := c.query("label"); label != "" {
		value["label"] = label
	}
	shown := c.showAsset(r, kit.Text(release.Value(), "tag_name"), c.create(releaseAssets, value).Value())
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

// onAsset answers a call about one asset.
func onAsset(level string, act func(c *call, r repo, tag string, asset *world.Record) (answer, *refusal)) handler {
	return onKept(releaseAssets, "asset_id", level, func(c *call, r repo, asset *world.Record) (answer, *refusal) {
		tag := ""
		if release, ok := c.get(releases, decimal(cast.Int(asset.Value()["release"]))); ok {
			tag = kit.Text(release.Value(), "tag_name")
		}
		return act(c, r, tag, asset)
	})
}

func getAsset(c *call, r repo, tag string, asset *world.Record) (answer, *refusal) {
	if strings.Contains(c.Header.Get("Accept"), "application/octet-stream") {
		data, err := base64.StdEncoding.DecodeString(kit.Text(asset.Value(), "bytes"))
		if err != nil { // a fixture says only its size, or something else
			data = nil
		}
		return answer{raw: data, kind: textOr(asset.Value(), "content_type", "application/octet-stream")}, nil
	}
	return answer{value: c.showAsset(r, tag, asset.Value())}, nil
}

func updateAsset(c *call, r repo, tag string, asset *world.Record) (answer, *refusal) {
	value := changed(asset)
	for _, field := range []string{"name", "label"} {
		if c.has(field) {
			value[field] = c.Input.Body[field]
		}
	}
	for _, other := range c.assetsOf(cast.Int(value["release"])) {
		if other.ID != asset.ID && kit.Text(other.Value(), "name") == kit.Text(value, "name") {
			return answer{}, failed(wrong("ReleaseAsset", "name", codeExists))
		}
	}
	value["updated_at"] = c.now()
	return answer{value: c.showAsset(r, tag, c.update(releaseAssets, value).Value())}, nil
}

func deleteAsset(c *call, _ repo, _ string, asset *world.Record) (answer, *refusal) {
	c.remove(releaseAssets, asset.ID)
	return answer{status: http.StatusNoContent}, nil
}
