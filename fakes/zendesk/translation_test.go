package zendesk_test

import (
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestAnArticleChangedInItselfKeepsItsWords(t *testing.T) {
	t.Parallel()
	r := rig(t)
	help := "/api/v2/help_center/"
	category := r.Must(201, r.JSON("POST", help+"categories", object{"category": object{"name": "Basics", "description": "First steps"}})).Text("category.id")
	section := r.Must(201, r.JSON("POST", help+"categories/"+category+"/sections", object{"section": object{"name": "Refunds"}})).Text("section.id")
	article := r.Must(201, r.JSON("POST", help+"sections/"+section+"/articles", object{"article": object{"title": "How refunds work", "body": "<p>Five.</p>"}})).Text("article.id")
	send := func(path string, body object) faketest.Got { return r.Must(200, r.JSON("PUT", help+path, body)) }

	faketest.Want(t, send("articles/"+article, object{"article": object{"title": "New", "body": "<p>Six.</p>", "draft": true, "promoted": true}}),
		object{"article.title": "How refunds work", "article.body": "<p>Five.</p>", "article.draft": false, "article.promoted": true})
	faketest.Want(t, send("categories/"+category, object{"category": object{"name": "New", "description": "x", "position": 2}}),
		object{"category.name": "Basics", "category.description": "First steps", "category.position": 2})
	faketest.Want(t, send("en-us/sections/"+section, object{"section": object{"name": "New", "position": 3}}), object{"section.name": "Refunds", "section.position": 3})

	faketest.Want(t, send("articles/"+article+"/translations/en-us", object{"translation": object{"title": "Refunds in a week", "body": "<p>Seven.</p>"}}),
		object{"translation.source_type": "Article", "translation.title": "Refunds in a week", "translation.draft": false})
	faketest.Want(t, get(r, help+"articles/"+article), object{"article.title": "Refunds in a week", "article.name": "Refunds in a week", "article.body": "<p>Seven.</p>"})
	r.Wait(2 * time.Minute)
	faketest.Want(t, get(r, help+"articles/search?query=seven"), object{"count": 1})
	faketest.Want(t, send("sections/"+section+"/translations/en-us.json", object{"translation": object{"title": "Money back"}}), object{"translation.title": "Money back"})
	faketest.Want(t, get(r, help+"sections/"+section), object{"section.name": "Money back"})
	faketest.Want(t, get(r, help+"categories/"+category+"/translations"), object{"count": 1, "translations.0.body": "First steps"})
	r.Must(404, r.JSON("PUT", help+"articles/"+article+"/translations/de", object{"translation": object{"title": "Neu"}}))
	r.Must(422, r.JSON("PUT", help+"articles/"+article+"/translations/en-us", object{"translation": object{"title": " "}}))

	r.Must(204, r.Send("DELETE", help+"categories/"+category+".json", ""))
	for _, gone := range []string{"categories/" + category, "sections/" + section, "articles/" + article} {
		r.Must(404, r.Send("GET", help+gone, ""))
	}
}

func TestATopicIsFoundWhereHelpCentersHaveIt(t *testing.T) {
	t.Parallel()
	r := rig(t)
	topic := r.Must(201, r.JSON("POST", "/api/v2/community/topics.json", object{"topic": object{"name": "test"}}))
	n := topic.Text("topic.id")
	faketest.Want(t, topic, object{
		"topic.url": "https://acme.zendesk.com/api/v2/help_center/community/topics/" + n + ".json", "topic.html_url": "https://acme.zendesk.com/hc/en-us/community/topics/" + n + "-test", "topic.manageable_by": "staff",
	})
	again := r.Must(200, r.JSON("PUT", "/api/v2/community/topics/"+n, object{"topic": object{"name": "renamed"}}))
	faketest.Want(t, again, object{"topic.html_url": "https://acme.zendesk.com/hc/en-us/community/topics/" + n + "-renamed"})
}
