package github

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/github/gitwire"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Git over HTTPS, at github.com: what git's smart protocol asks of a server, in
// version 0, which every client speaks. All of it is about the objects and the
// references that the API shows.
//
//	info/refs ─▶ advertiseRefs ─┬─▶ git-upload-pack  (clone, fetch)
//	                            └─▶ git-receive-pack (push)
const (
	advertiseOperation = "git-http/advertise-refs"
	fetchOperation     = "git-http/upload-pack"
	pushOperation      = "git-http/receive-pack"

	uploadPack  = "git-upload-pack"
	receivePack = "git-receive-pack"
)

// ofGit tells the paths that git asks for.
func ofGit(path string) bool {
	for _, end := range []string{"/info/refs", "/" + uploadPack, "/" + receivePack} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	return false
}

// toGit words a refusal in the text that git shows.
func toGit(r *refusal, header http.Header) fakes.Reply {
	header.Set("Content-Type", "text/plain; charset=UTF-8")
	text := r.message
	if r.status == http.StatusUnauthorized {
		header.Set("Www-Authenticate", `Basic realm="GitHub"`)
		if text == badCredentials {
			text = notAPassword
		}
	}
	return fakes.Reply{Status: r.status, Header: header, Body: []byte(text + "\n")}
}

func overGit(operation string) bool { return strings.HasPrefix(operation, "git-http/") }

// Where pages and repositories are, and where the API is.
const (
	pagesHost = "github.com"
	apiHost   = "api.github.com"
)

func (c *call) host() string {
	at, err := url.Parse(c.Base)
	if err != nil {
		return ""
	}
	return at.Host
}

// onPages tells whether a call of the API came to where only pages and
// repositories are.
func (c *call) onPages() bool { return c.host() == pagesHost }

// converse answers git: in bytes, and in text where it refuses, which git shows
// after "remote: ".
func (c *call) converse() fakes.Reply {
	if c.host() == apiHost {
		return c.refuse(notFound())
	}
	given, refused := answer{}, c.admitGit()
	if refused == nil {
		given, refused = c.fake.handlers[c.id](c)
	}
	header := c.gitHeader()
	if refused != nil {
		for name, values := range refused.header {
			header[name] = values
		}
		header.Set("Content-Type", "text/plain; charset=UTF-8")
		return fakes.Reply{Status: refused.status, Header: header, Body: []byte(refused.message + "\n")}
	}
	header.Set("Content-Type", given.kind)
	return fakes.Reply{Status: http.StatusOK, Header: header, Body: given.raw}
}

func (c *call) gitHeader() http.Header {
	return kit.Headers(
		"X-Github-Request-Id", requestID(c.NewID("", 20)),
		"Cache-Control", "no-cache, max-age=0, must-revalidate",
		"Expires", "Fri, 01 Jan 1980 00:00:00 GMT",
		"Pragma", "no-cache",
		"Vary", "Accept-Encoding",
		"X-Frame-Options", "DENY",
		"Server", "GitHub-Babel/3.0",
	)
}

const notAPassword = "Invalid username or token. Password authentication is not supported for Git operations."

// whoAreYou makes git ask for a name and a token, or look for them.
func whoAreYou(text string) *refusal {
	return &refusal{status: http.StatusUnauthorized, message: text, header: kit.Headers("Www-Authenticate", `Basic realm="GitHub"`)}
}

// admitGit turns away what is no token, or none any more.
func (c *call) admitGit() *refusal {
	if c.known && (c.token.Revoked || c.token.Expired(c.Now)) {
		return whoAreYou(notAPassword)
	}
	return nil
}

// gitRepository finds the repository of a call by git. What is not there, or not
// for the caller, is asked for again with a name, and then is not found.
func (c *call) gitRepository(push bool) (repo, *refusal) {
	c.Input.Path = replaced(c.Input.Path, "repo", strings.TrimSuffix(c.path("repo"), ".git"))
	r, ok, moved := c.reach()
	switch {
	case c.viewer == "" && push:
		return repo{}, whoAreYou("No anonymous write access.")
	case (!ok || !c.sees(r)) && c.viewer == "":
		return repo{}, whoAreYou("Repository not found.")
	case !ok || !c.sees(r):
		return repo{}, refusing(http.StatusNotFound, "Repository not found.")
	case moved && c.id == advertiseOperation:
		at := c.Base + "/" + r.full() + ".git/info/refs?service=" + c.query("service")
		return repo{}, &refusal{status: http.StatusMovedPermanently, header: kit.Headers("Location", at)}
	}
	if push {
		if refused := c.mayPush(r); refused != nil {
			return repo{}, refused
		}
	}
	c.grow(r)
	r, _ = c.byKey(r.key())
	return r, nil
}

func (c *call) mayPush(r repo) *refusal {
	switch {
	case r.archived():
		return refusing(http.StatusForbidden, "This repository was archived so it is read-only.")
	case !c.may(r, levelWrite):
		return refusing(http.StatusForbidden, "Permission to %s.git denied to %s.", r.full(), c.loginOf(c.viewer))
	}
	return nil
}

// What the two services can do.
const (
	fetchAble = "multi_ack thin-pack side-band side-band-64k ofs-delta shallow no-progress include-tag multi_ack_detailed allow-tip-sha1-in-want allow-reachable-sha1-in-want no-done"
	pushAble  = "report-status report-status-v2 delete-refs side-band-64k ofs-delta atomic quiet push-options"
	agent     = " object-format=sha1 agent=git/github-parity"
)

// dumb is what GitHub says to clients from before 2010.
const dumb = "Please upgrade your git client.\nGitHub.com no longer supports git over dumb-http: https://github.com/blog/809-git-dumb-http-transport-to-be-turned-off-in-90-days"

func advertiseRefs(c *call) (answer, *refusal) {
	service := c.query("service")
	if service != uploadPack && service != receivePack {
		return answer{}, refusing(http.StatusForbidden, dumb)
	}
	r, refused := c.gitRepository(service == receivePack)
	if refused != nil {
		return answer{}, refused
	}
	var out gitwire.Out
	out.Line("# service=" + service)
	out.Flush()
	able := pushAble + agent
	if service == uploadPack {
		able = fetchAble + agent
		if _, there := c.ref(r, heads+r.branch()); there {
			able += " symref=HEAD:" + heads + r.branch()
		}
	}
	all := c.advertised(r, service == uploadPack)
	if len(all) == 0 {
		all = []advertisement{{"capabilities^{}", gitwire.Zero}}
	}
	for i, one := range all {
		text := one.sha + " " + one.name
		if i == 0 {
			text += "\x00" + able
		}
		out.Line(text)
	}
	out.Flush()
	return answer{raw: out.Bytes(), kind: "application/x-" + service + "-advertisement"}, nil
}

// An advertisement is a reference as clients are told of it.
type advertisement struct {
	name, sha string
}

// advertised lists a repository's references in git's order. Who fetches is told
// of the default branch as HEAD, of pull requests, and of what tags are of.
func (c *call) advertised(r repo, fetch bool) []advertisement {
	var all []advertisement
	for _, record := range c.references(r, "refs/") {
		one := advertisement{kit.Text(record.Value(), "ref"), kit.Text(record.Value(), "sha")}
		o, ok := c.object(r, one.sha)
		if !ok {
			continue // of a recording that tells no more of it
		}
		all = append(all, one)
		if fetch && o.kind() == tagKind {
			all = append(all, advertisement{one.name + "^{}", c.peeled(r, one.sha)})
		}
	}
	if !fetch {
		return all
	}
	for record := range c.fake.store.Find(c.Tx, issues, "repo", r.key()) {
		if sha, ok := pullHead(record); ok {
			if _, there := c.object(r, sha); there {
				all = append(all, advertisement{"refs/pull/" + decimal(number(record.Value(), "number")) + "/head", sha})
			}
		}
	}
	slices.SortFunc(all, func(a, b advertisement) int { return strings.Compare(a.name, b.name) })
	if tip := c.tip(r); tip != "" {
		all = append([]advertisement{{"HEAD", tip}}, all...)
	}
	return all
}

// pullHead is the commit of a pull request; false: the record is none.
func pullHead(record *world.Record) (string, bool) {
	pull, ok := record.Value()["pull"].(map[string]any)
	return kit.Text(pull, "head.sha"), ok && isSHA(kit.Text(pull, "head.sha"))
}
