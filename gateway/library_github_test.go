package gateway_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
)

// githubDay has a maintainer work through a day. What production-like says of lists and of
// other services is met there. The latency is cut, and the wait that it tells is
// 1 s in place of 5 s.
func githubDay() meeting {
	return meeting{
		profile: "github-bad-day", play: githubAfternoon, more: `services: {github: {fixtures: [github-messy]}}
` + elsewhere + `  everyday-latency-elsewhere: {enabled: false}
  github-everyday-latency: {with: {fixed: 1ms}}
  github-secondary-limit: {with: {retry_after: 1s, style: secondary}}
`,
		failed: []string{"always: bounded retries", "always: one effect per intent", "github-lose-a-comment", "github-lose-a-commit", "github-lose-a-merge", "github-secondary-limit"},
		// Whoever looks rests on a read being new, which a world that nobody else changes does not prove.
		unseen: []string{"github-lose-a-merge", "github-lose-a-commit", "github-lists-move"},
	}
}

func githubAfternoon(a *hand) {
	e := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer e.Close()
	const repo = "/repos/Acme/shop"
	a.sitsOut("POST", "github", repo+"/hooks", object{"name": "web", "active": true, "events": []string{"*"}, "config": object{"url": e.URL, "content_type": "json"}})
	for i := range 8 { // one of them is refused, and told to wait
		a.sitsOut("GET", "github", fmt.Sprint(repo, "/issues?state=all&per_page=", 2+i), nil)
	}
	for i := range 4 {
		a.opensIssue(fmt.Sprint("Bug ", i))
	}
	a.writesOnce("PUT", repo+"/contents/bad-day.md", object{"message": "Notes", "content": "bm90ZXM=", "branch": "zoe-tmp-2"})
	if pull := a.sitsOut("POST", "github", repo+"/pulls", object{"title": "Notes", "head": "zoe-tmp-2", "base": "main"}).at("number"); pull != "" {
		a.writesOnce("PUT", repo+"/pulls/"+pull+"/merge", object{})
	}
	for i := range 40 { // enough for what happens by chance
		a.sitsOut("GET", "github", fmt.Sprint(repo, "/pulls?state=all&per_page=", 2+i), nil)
	}
}

// opensIssue opens an issue; when no answer comes the careful client looks whether
// it is there, and the naive one opens it again.
func (a *hand) opensIssue(title string) {
	if !a.careful {
		a.insists("POST", "github", "/repos/Acme/shop/issues", object{"title": title})
		return
	}
	if a.says("POST", "github", "/repos/Acme/shop/issues", object{"title": title}).fine() {
		return
	}
	a.sitsOut("GET", "github", "/repos/Acme/shop/issues?state=all&per_page=3&sort=created", nil)
}

// writesOnce makes a write whose second time the service itself refuses; the
// careful client does not try it.
func (a *hand) writesOnce(method, path string, body any) {
	if a.says(method, "github", path, body).fine() || a.careful {
		return
	}
	a.says(method, "github", path, body)
}
