package hubspot

import (
	"fmt"
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func (c *call) noForm() *refusal {
	return &refusal{
		status: http.StatusNotFound, message: fmt.Sprintf("No form found with guid '%s'", kit.Clip(c.Input.Path["guid"])),
		extra: map[string]any{"type": "NOT_FOUND"},
	}
}

func (c *call) namedForm() (*world.Record, *refusal) {
	r, there := c.fake.store.Get(c.Tx, forms, c.Input.Path["guid"])
	if !there {
		return nil, c.noForm()
	}
	return r, nil
}

func (c *call) shownForm(value map[string]any) map[string]any {
	shown := changed(value)
	delete(shown, "id")
	shown["portalId"] = c.settings.portal()
	return shown
}

func getForm(c *call, r *world.Record) (answer, *refusal) {
	return ok(c.shownForm(r.Value()))
}

// getFormV1 shows the fields, and how to put the form on a page, too.
func getFormV1(c *call, r *world.Record) (answer, *refusal) {
	return ok(c.formV1(r.Value()))
}

// formV1 writes a form as v1 has it.
func (c *call) formV1(form map[string]any) map[string]any {
	shown := c.shownForm(form)
	shown["fields"] = fieldsOf(form)
	shown["embeddedCode"] = fmt.Sprintf("<script charset=\"utf-8\" src=\"http://js.hubspot.com/forms/current.js\"></script>\n<script>\n  hbspt.forms.create({\n    portalId: '%s',\n    formId: '%s'\n  });\n</script>", c.settings.portalID, cast.Text(form["guid"]))
	return shown
}

// givenForm answers with a form in the way of the path.
func (c *call) givenForm(form map[string]any) (answer, *refusal) {
	if strings.HasPrefix(c.Operation.Path, "/contacts/v1/") {
		return ok(c.formV1(form))
	}
	return ok(c.shownForm(form))
}

func fieldsOf(form map[string]any) []any {
	all := []any{}
	for _, one := range cast.List(form["formFieldGroups"]) {
		all = append(all, cast.List(cast.Object(one)["fields"])...)
	}
	return all
}

func getFormFields(c *call, r *world.Record) (answer, *refusal) {
	field, one := c.Input.Path["field"]
	if !one {
		return answer{status: http.StatusOK, list: fieldsOf(r.Value())}, nil
	}
	for _, f := range cast.Objects(fieldsOf(r.Value())) {
		if f["name"] == field {
			return ok(f)
		}
	}
	return answer{}, &refusal{status: http.StatusNotFound, message: fmt.Sprintf("No field found with name '%s'", kit.Clip(field)), extra: map[string]any{"type": "NOT_FOUND"}}
}

func listForms(c *call) (answer, *refusal) {
	all := []any{}
	for r := range c.Tx.Oldest(c.fake.store.Full(forms), 0) {
		all = append(all, c.shownForm(r.Value()))
	}
	return answer{status: http.StatusOK, list: all}, nil
}

func createForm(c *call) (answer, *refusal) {
	title := c.text("name")
	if title == "" {
		return answer{}, &refusal{status: http.StatusBadRequest, message: "Form name must be provided", extra: map[string]any{"type": "INVALID_FORM"}}
	}
	for r := range c.Tx.Oldest(c.fake.store.Full(forms), 0) {
		if r.Value()["name"] == title {
			return answer{}, &refusal{status: http.StatusConflict, message: fmt.Sprintf("Form already exists with name '%s'", kit.Clip(title)), extra: map[string]any{"type": "FORM_ALREADY_EXISTS"}}
		}
	}
	guid, at := c.uuid(), c.Now.UnixMilli()
	value := map[string]any{
		"guid": guid, "name": title, "action": "", "method": "POST", "cssClass": "hs-form stacked", "redirect": "", "submitText": "Submit", "followUpId": "",
		"notifyRecipients": "", "leadNurturingCampaignId": "", "formFieldGroups": []any{}, "createdAt": at, "updatedAt": at, "performableHtml": "",
		"migratedFrom": "", "ignoreCurrentValues": false, "metaData": []any{}, "deletable": true, "inlineMessage": "", "tmsId": "", "captchaEnabled": false,
		"campaignGuid": "", "cloneable": true, "editable": true, "formType": "HUBSPOT", "socialLoginEnabled": false, "socialLoginTypes": []any{}, "visible": true,
		"deletedAt": int64(0), "themeName": "", "parentId": int64(0), "style": "", "isPublished": true, "publishAt": int64(0), "unpublishAt": int64(0), "publishedAt": at,
		"kickbackEmailWorkflowId": nil, "kickbackEmailsJson": "", "multivariateTest": nil, "internalUpdatedAt": at,
	}
	for field, sent := range c.Input.Body {
		value[field] = sent
	}
	value["id"], value["guid"] = guid, guid
	c.fake.store.Create(c.Tx, forms, guid, value)
	return c.givenForm(value)
}

func updateForm(c *call, r *world.Record) (answer, *refusal) {
	value := changed(r.Value())
	for field, sent := range c.Input.Body {
		value[field] = sent
	}
	value["id"], value["guid"], value["updatedAt"] = r.ID, r.ID, c.Now.UnixMilli()
	c.fake.store.Update(c.Tx, forms, r.ID, value)
	return c.givenForm(value)
}

func archiveForm(c *call, r *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, forms, r.ID)
	return doneTyped()
}

func listBlogs(c *call) (answer, *refusal) {
	all := []any{}
	for r := range c.Tx.Oldest(c.fake.store.Full(blogs), 0) {
		all = append(all, c.shownBlog(r))
	}
	limit, from := c.count("limit", mostV1), c.offset()
	end := min(from+limit, len(all))
	return ok(map[string]any{"total_count": int64(len(all)), "total": int64(len(all)), "limit": int64(limit), "offset": int64(from), "objects": append([]any{}, all[min(from, end):end]...)})
}

func (c *call) shownBlog(r *world.Record) map[string]any {
	shown := changed(r.Value())
	shown["id"], shown["portal_id"] = whole(r.ID), c.settings.portal()
	return shown
}

func getBlog(c *call) (answer, *refusal) {
	r, there := c.fake.store.Get(c.Tx, blogs, c.Input.Path["blogId"])
	if !there {
		return answer{}, &refusal{status: http.StatusNotFound, message: "Blog not found", extra: map[string]any{"succeeded": false}}
	}
	return ok(c.shownBlog(r))
}
