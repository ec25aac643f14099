package zendesk

import (
	"html"
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// page is the address at which people read an article.
func (c *call) page(article map[string]any) string {
	return c.Base + "/hc/" + cast.Text(article["locale"]) + "/articles/" + key(id(article, "id")) + "-" + slug(cast.Text(article["title"]))
}

// showPage shows an article as people see it. An address that a redirect rule of
// the help center names leads elsewhere, and one with a title that the article
// has no more to the one that it has now.
// Source: support.zendesk.com, "Redirecting help center URLs".
func showPage(c *call) (answer, *refusal) {
	locale, last := c.Input.Path["locale"], c.Input.Path["article"]
	for rule := range c.Tx.Find(full(redirectRules), "redirect_from", "/hc/"+locale+"/articles/"+last, 0) {
		return c.elsewhere(cast.Text(rule.Value()["redirect_status"]), cast.Text(rule.Value()["redirect_to"])), nil
	}
	number, _, _ := strings.Cut(last, "-")
	r, ok := c.Tx.Get(full(articles), number)
	if !ok || !c.readable(r.Value()) || !strings.EqualFold(cast.Text(r.Value()["locale"]), locale) {
		return answer{}, notFound()
	}
	if _, at, _ := strings.Cut(cast.Text(r.Value()["html_url"]), "/articles/"); at != "" && at != last {
		return c.elsewhere("", cast.Text(r.Value()["html_url"])), nil
	}
	return shown(r), nil
}

// elsewhere sends a reader to another address, for good unless the rule says
// that it is for now.
func (c *call) elsewhere(status, to string) answer {
	if strings.HasPrefix(to, "/") {
		to = c.Base + to
	}
	a := answer{status: http.StatusMovedPermanently, kind: htmlKind, header: http.Header{"Location": {to}}}
	if status == "302" {
		a.status = http.StatusFound
	}
	a.raw = []byte(`<html><body>You are being <a href="` + html.EscapeString(to) + `">redirected</a>.</body></html>`)
	return a
}

const htmlKind = "text/html; charset=utf-8"

func shown(article *world.Record) answer {
	title := html.EscapeString(cast.Text(article.Value()["title"]))
	return answer{kind: htmlKind, raw: []byte("<!DOCTYPE html>\n<html lang=\"" + html.EscapeString(cast.Text(article.Value()["locale"])) + "\"><head><title>" + title + "</title></head>" +
		"<body><article><h1>" + title + "</h1>" + cast.Text(article.Value()["body"]) + "</article></body></html>\n")}
}
