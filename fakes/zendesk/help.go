package zendesk

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// helpHandlers answer for help centers, with a locale in the path and without.
func helpHandlers() map[string]handler {
	h := map[string]handler{"ArticleSearch": searchArticles, "ShowArticlePage": showPage}
	for _, suffix := range []string{"", "ByLocale"} {
		for operation, one := range map[string]handler{
			"ListArticles":         func(c *call) (answer, *refusal) { return c.articlesOf(nil) },
			"ShowArticle":          kit.With((*call).article, showArticle),
			"UpdateArticle":        kit.With((*call).article, updateArticle),
			"ArchiveArticle":       kit.With((*call).article, archiveArticle),
			"ListSectionArticles":  on(sections, "section_id", listSectionArticles),
			"CreateArticle":        on(sections, "section_id", createArticle),
			"ListCategoryArticles": on(categories, "category_id", listCategoryArticles),
			"ListSections":         listAll(sections),
			"ShowSection":          showPlain(sections, "section_id"),
			"UpdateSection":        changeMeta(sections, "section_id"),
			"DeleteSection":        on(sections, "section_id", deleteSection),
			"ListCategorySections": listThose(categories, "category_id", sections, "category_id"),
			"CreateSection":        on(categories, "category_id", createSection),
			"ListCategories":       listAll(categories),
			"CreateCategory":       createPlain(categories),
			"ShowCategory":         showPlain(categories, "category_id"),
			"UpdateCategory":       changeMeta(categories, "category_id"),
			"DeleteCategory":       on(categories, "category_id", deleteCategory),
		} {
			h[operation+suffix] = one
		}
	}
	return h
}

// readable tells whether the caller may see an article: drafts are for agents.
func (c *call) readable(r map[string]any) bool {
	return r["draft"] != true || !c.endUser()
}

// inLocale tells whether an article is in the locale that the path names.
func (c *call) inLocale(r map[string]any) bool {
	locale := c.Input.Path["locale"]
	return locale == "" || strings.EqualFold(cast.Text(r["locale"]), locale)
}

func (c *call) articlesOf(within func(*world.Record) bool) (answer, *refusal) {
	wanted := labelNames(c.query("label_names"))
	since, _ := whole(c.query("start_time"))
	some := c.every(articles, func(r *world.Record) bool {
		if within != nil && !within(r) || !c.inLocale(r.Value()) || !c.readable(r.Value()) || since > 0 && changed(r) < since {
			return false
		}
		for _, label := range wanted {
			if !slices.Contains(labelNames(r.Value()["label_names"]), label) {
				return false
			}
		}
		return true
	})
	if c.query("sort_by") == "" && c.query("sort") == "" { // by position, the newest first
		slices.Reverse(some)
		slices.SortStableFunc(some, func(a, b *world.Record) int { return int(id(a.Value(), "position") - id(b.Value(), "position")) })
	}
	found, refused := c.list(listing{collection: articles, some: some, narrowed: true})
	return c.numbered(found, len(some)), refused
}

// numbered adds how many pages there are, as lists of help centers say.
func (c *call) numbered(found answer, total int) answer {
	if _, ok := found.value["next_page"]; !ok {
		return found
	}
	number, size, _ := c.pageNumber(mostPerPage)
	if sent, ok := c.Input.Query["per_page"].(int64); !ok || sent < 1 {
		size = mostPerPage
	}
	found.value["page"], found.value["per_page"], found.value["page_count"] = int64(number), int64(size), int64((total+size-1)/size)
	return found
}

func labelNames(v any) []string {
	var out []string
	for _, one := range append(list(v), strings.Split(cast.Plain(v), ",")...) {
		if one = strings.ToLower(strings.TrimSpace(one)); one != "" {
			out = append(out, one)
		}
	}
	return out
}

func (c *call) article() (*world.Record, *refusal) {
	r, refused := c.member(articles, "article_id")
	if refused == nil && (!c.readable(r.Value()) || !c.inLocale(r.Value())) {
		return nil, notFound()
	}
	return r, refused
}

func showArticle(c *call, r *world.Record) (answer, *refusal) {
	return c.one("article", r)
}

func listSectionArticles(c *call, section *world.Record) (answer, *refusal) {
	return c.articlesOf(func(r *world.Record) bool { return key(id(r.Value(), "section_id")) == section.ID })
}

func listCategoryArticles(c *call, category *world.Record) (answer, *refusal) {
	return c.articlesOf(func(r *world.Record) bool {
		section, ok := c.find(sections, id(r.Value(), "section_id"))
		return ok && key(id(section.Value(), "category_id")) == category.ID
	})
}

func createSection(c *call, category *world.Record) (answer, *refusal) {
	r, refused := c.createOf(c.fake.kinds[sections], with(c.part("section"), map[string]any{"category_id": category.Value()["id"]}))
	if refused != nil {
		return answer{}, refused
	}
	return c.created("section", r)
}

func createArticle(c *call, section *world.Record) (answer, *refusal) {
	said := c.part("article")
	locale := orDefault(cast.Text(said["locale"]), orDefault(c.Input.Path["locale"], "en-us"))
	value := map[string]any{
		"author_id": c.callerID(), "comments_disabled": false, "draft": false, "promoted": false, "position": int64(0), "vote_sum": int64(0), "vote_count": int64(0),
		"section_id": section.Value()["id"], "created_at": c.now(), "updated_at": c.now(), "name": "", "title": "", "source_locale": locale, "locale": locale,
		"outdated": false, "outdated_locales": []any{}, "edited_at": c.now(), "user_segment_id": nil, "permission_group_id": int64(1), "content_tag_ids": []any{},
		"label_names": []any{}, "body": "",
	}
	for _, field := range []string{"title", "body", "draft"} {
		if v, sent := said[field]; sent {
			value[field] = v
		}
	}
	sayArticle(value, said)
	if strings.TrimSpace(cast.Text(value["title"])) == "" {
		return answer{}, invalid(fault{field: "title", description: "Title: cannot be blank", code: "BlankValue"})
	}
	value["name"] = value["title"]
	if refused := c.fit("article", articles, value); refused != nil {
		return answer{}, refused
	}
	n := c.fresh(articles)
	value["id"], value["url"] = n, c.address(api+"help_center/"+locale+"/articles", n)
	value["html_url"] = c.page(value)
	return c.created("article", c.write(articles, n, nil, value))
}

// sayArticle takes what a client says of an article, but for its words.
func sayArticle(value, said map[string]any) {
	for _, field := range []string{
		"promoted", "position", "comments_disabled", "label_names", "content_tag_ids", "user_segment_id", "permission_group_id", "author_id", "section_id",
	} {
		if v, sent := said[field]; sent {
			value[field] = v
		}
	}
}

// updateArticle changes what is about an article. Its title, body and draft are its
// translation's: they are passed over without a word, as recorded of categories.
// Source: support.zendesk.com/hc/en-us/articles/4409408122522.
func updateArticle(c *call, r *world.Record) (answer, *refusal) {
	value := with(r.Value(), map[string]any{"updated_at": c.now()})
	sayArticle(value, c.part("article"))
	if refused := c.fit("article", articles, value); refused != nil {
		return answer{}, refused
	}
	return c.one("article", c.write(articles, id(value, "id"), r, value))
}

// archiveArticle takes an article out of the help center; there it can be
// brought back, by people.
func archiveArticle(c *call, r *world.Record) (answer, *refusal) {
	c.drop(articles, r)
	return answer{status: http.StatusNoContent}, nil
}

// slug is a title as addresses have it.
func slug(title string) string {
	return strings.Join(strings.FieldsFunc(title, func(r rune) bool { return r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z' && r < 0x80 }), "-")
}
