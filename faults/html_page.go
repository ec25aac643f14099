package faults

import "cmp"

// htmlPage has something in front of the service answer in its place.
//
//	agent ─▶ edge ─▶ service
//	   ◀─ <html>┘
func htmlPage() *Fault {
	return &Fault{
		Name:     "html-page",
		Phase:    Instead,
		Live:     LiveInstead,
		Decides:  true,
		Summary:  "A page for people in place of data: a gateway's error, a check for bots, or a login, with 502, 503 or 200.",
		Reaction: "Recognised as not data; no write until things are right again.",
		Lasts:    true,
		Judging:  Judging{Class: Replaced, Lessens: true},
		Forms:    []Form{{Rank: 120, With: map[string]any{"page": "login"}, Fits: fitsAll}},
		Example: `signed-out-by-the-edge:
  call: zendesk *
  inject: html-page
  with: {page: login, status: 200}
  trigger: {nth: 3}`,
		Params: []Param{
			{
				Name: "page", Kind: Choice, Choices: []string{"login", "challenge", "gateway"}, Default: "login",
				Doc: "what it shows: a login, a check that a browser is one, or a gateway that has lost the service", Example: "challenge",
			},
			{
				Name: "status", Kind: Choice, Choices: []string{"200", "502", "503"},
				Doc: "HTTP status; by default 200 for a login, 503 for a challenge, 502 for a gateway", Example: "200",
			},
			{
				Name: "when", Kind: Choice, Choices: []string{"instead", "after"}, Default: "instead",
				Doc: "instead: the service was not asked; after: it did its work, and the page is in place of its answer", Example: "after",
			},
		},
		build: func(a Args) (Injection, error) {
			status := map[string]int{"200": 200, "502": 502, "503": 503}[a.text("status")]
			return interstitial{page: a.text("page"), status: status, after: a.text("when") == "after"}, nil
		},
	}
}

type interstitial struct {
	page   string
	status int
	after  bool
}

func (i interstitial) Apply(p *Plan, _ CallContext) Mark {
	p.Skip = !i.after
	page := pageFor(i.page)
	page.Status = cmp.Or(i.status, page.Status)
	p.Page = page
	return Mark{}
}

// pageFor gives a page as its kind usually comes, with the head that goes with
// it.
func pageFor(kind string) *Page {
	page := &Page{Status: 502, ContentType: "text/html; charset=utf-8", Body: gatewayPage, Header: map[string]string{"Server": "edge", "Cache-Control": "no-store"}}
	switch kind {
	case "login":
		page.Status, page.Body = 200, loginPage
		page.Header["X-Frame-Options"] = "DENY"
	case "challenge":
		page.Status, page.Body = 503, challengePage
		page.Header["Retry-After"] = "5"
		page.Header["X-Robots-Tag"] = "noindex"
	}
	return page
}

const gatewayPage = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Bad gateway</title></head>
<body>
<h1>Bad gateway</h1>
<p>The server behind this address gave no usable answer. It may be starting again; try once more in a minute.</p>
<hr><address>edge</address>
</body>
</html>
`

const challengePage = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>One moment</title><meta name="robots" content="noindex"><meta http-equiv="refresh" content="5"></head>
<body>
<noscript><p>Turn on JavaScript and cookies to go on.</p></noscript>
<main><h1>Checking your browser</h1><p>This takes a few seconds. You will be sent on by itself.</p>
<form id="check" action="/edge/check" method="post"><input type="hidden" name="token" value=""></form></main>
<script>document.cookie = "edge_js=1; path=/"; setTimeout(function () { document.getElementById("check").submit(); }, 4000);</script>
</body>
</html>
`

const loginPage = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in</title><meta name="viewport" content="width=device-width"></head>
<body>
<main><h1>Sign in</h1>
<p>Your session has ended. Sign in to go on.</p>
<form action="/login" method="post">
<label>Email <input type="email" name="email" autocomplete="username" required></label>
<label>Password <input type="password" name="password" autocomplete="current-password" required></label>
<button>Sign in</button>
</form>
<p><a href="/login/sso">Use single sign-on</a></p></main>
</body>
</html>
`
