package zendesk

import (
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// translationHandlers answer for what help centers say, in the one locale in which
// each article, section and category is kept here. Changes of its words go there:
// articles, sections and categories themselves take only what is about them.
// Source: developer.zendesk.com/api-reference/help_center/help-center-api/translations.
func translationHandlers() map[string]handler {
	h := map[string]handler{}
	for _, one := range []struct {
		collection, single string
		read               func(*call) (*world.Record, *refusal)
	}{
		{articles, "Article", (*call).article},
		{sections, "Section", func(c *call) (*world.Record, *refusal) { return c.member(sections, "section_id") }},
		{categories, "Category", func(c *call) (*world.Record, *refusal) { return c.member(categories, "category_id") }},
	} {
		in := func(c *call) (*world.Record, *refusal) { // the locale of the path is the translation's own
			r, refused := one.read(c)
			if refused == nil && !strings.EqualFold(cast.Text(r.Value()["locale"]), c.Input.Path["locale"]) {
				return nil, notFound()
			}
			return r, refused
		}
		h["List"+one.single+"Translations"] = kit.With(one.read, func(c *call, r *world.Record) (answer, *refusal) {
			return answer{value: map[string]any{
				"translations": []any{c.translation(one.collection, one.single, r)}, "page": int64(1), "page_count": int64(1), "per_page": int64(mostPerPage),
				"count": int64(1), "next_page": nil, "previous_page": nil,
			}}, nil
		})
		h["Show"+one.single+"Translation"] = kit.With(in, func(c *call, r *world.Record) (answer, *refusal) {
			return answer{value: map[string]any{"translation": c.translation(one.collection, one.single, r)}}, nil
		})
		h["Update"+one.single+"Translation"] = kit.With(in, func(c *call, r *world.Record) (answer, *refusal) {
			r, refused := c.translate(one.collection, r)
			if refused != nil {
				return answer{}, refused
			}
			return answer{value: map[string]any{"translation": c.translation(one.collection, one.single, r)}}, nil
		})
	}
	return h
}

// wordsOf names what a translation calls the title and the body of its source.
func wordsOf(collection string) (title, body string) {
	if collection == articles {
		return "title", "body"
	}
	return "name", "description"
}

// translation shows the words of an article, section or category. They are kept in
// its record, so that the translation's id is one after its source's.
func (c *call) translation(collection, single string, r *world.Record) map[string]any {
	value, n := r.Value(), id(r.Value(), "id")
	title, body := wordsOf(collection)
	by := id(value, "author_id")
	if by == 0 {
		by = ownerID
	}
	return map[string]any{
		"id": n + 1, "url": c.Base + api + "help_center/" + collection + "/" + key(n) + "/translations/" + cast.Text(value["locale"]) + ".json",
		"html_url": c.rebase(cast.Text(value["html_url"])), "source_id": n, "source_type": single, "locale": value["locale"], "title": value[title], "body": value[body],
		"outdated": value["outdated"], "draft": value["draft"] == true, "hidden": false, "created_at": value["created_at"], "updated_at": value["updated_at"],
		"created_by_id": by, "updated_by_id": by,
	}
}

// translate changes the words of a record.
func (c *call) translate(collection string, r *world.Record) (*world.Record, *refusal) {
	said, value := c.part("translation"), with(r.Value(), map[string]any{"updated_at": c.now()})
	title, body := wordsOf(collection)
	for of, field := range map[string]string{"title": title, "body": body, "outdated": "outdated", "draft": "draft"} {
		if v, sent := said[of]; sent && (field != "draft" || collection == articles) {
			value[field] = v
		}
	}
	if strings.TrimSpace(cast.Text(value[title])) == "" {
		return nil, invalid(fault{field: "title", description: "Title: cannot be blank", code: "BlankValue"})
	}
	one := c.fake.kinds[collection].one
	if collection == articles {
		one = "article"
		value["name"], value["edited_at"], value["html_url"] = value["title"], c.now(), c.page(value)
	} else {
		value["html_url"] = c.peopleFind(collection, value)
	}
	if refused := c.fit(one, collection, value); refused != nil {
		return nil, refused
	}
	return c.write(collection, id(value, "id"), r, value), nil
}

// peopleFind is where people find a record of a help center, which tells its name.
func (c *call) peopleFind(collection string, value map[string]any) string {
	place := collection
	if collection == topics {
		place = "community/topics"
	}
	return c.Base + "/hc/" + orDefault(cast.Text(value["locale"]), "en-us") + "/" + place + "/" + key(id(value, "id")) + "-" + slug(cast.Text(value["name"]))
}

// changeMeta changes a section or a category, but for its words.
func changeMeta(collection, parameter string) handler {
	return on(collection, parameter, func(c *call, r *world.Record) (answer, *refusal) {
		k := c.fake.kinds[collection]
		said := with(c.part(k.one), nil)
		for _, word := range []string{"name", "description", "locale"} {
			delete(said, word)
		}
		r, refused := c.updateOf(k, r, said)
		if refused != nil {
			return answer{}, refused
		}
		return c.one(k.one, r)
	})
}

// deleteSection deletes a section and every article in it, deleteCategory every
// section of it.
func deleteSection(c *call, r *world.Record) (answer, *refusal) {
	for _, article := range c.every(articles, func(a *world.Record) bool { return key(id(a.Value(), "section_id")) == r.ID }) {
		c.drop(articles, article)
	}
	c.drop(sections, r)
	return answer{status: http.StatusNoContent}, nil
}

func deleteCategory(c *call, r *world.Record) (answer, *refusal) {
	for _, section := range c.those(sections, "category_id", r.ID, nil) {
		if _, refused := deleteSection(c, section); refused != nil {
			return answer{}, refused
		}
	}
	c.drop(categories, r)
	return answer{status: http.StatusNoContent}, nil
}
