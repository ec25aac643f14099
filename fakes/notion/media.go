package notion

import (
	"maps"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// icon reads an icon or a cover; nil takes it away.
func (p place) icon(emoji bool) (any, problem) {
	if p.null() || !p.sent {
		return nil, nil
	}
	if wrong := p.isObject(); wrong != nil {
		return nil, wrong
	}
	switch {
	case emoji && p.at("emoji").sent:
		if wrong := p.at("emoji").isText(40); wrong != nil {
			return nil, wrong
		}
		return map[string]any{"type": "emoji", "emoji": p.at("emoji").value}, nil
	case emoji && p.at("custom_emoji").sent:
		at := p.at("custom_emoji")
		if wrong := first(at.isObject(), at.at("id").isUUID()); wrong != nil {
			return nil, wrong
		}
		id, _ := uuidOf(kit.Text(cast.Object(at.value), "id"))
		if r, ok := p.c.find(emojis, id); ok {
			return map[string]any{"type": "custom_emoji", "custom_emoji": r.Value()}, nil
		}
		return map[string]any{"type": "custom_emoji", "custom_emoji": at.value}, nil
	case emoji && p.at("icon").sent:
		icon := maps.Clone(cast.Object(p.at("icon").value))
		return map[string]any{"type": "icon", "icon": icon}, nil
	case p.at("external").sent, p.at("file_upload").sent:
		return p.file()
	}
	var wrong problem
	for _, kind := range []string{"emoji", "external", "custom_emoji", "file_upload"} {
		if emoji || kind == "external" || kind == "file_upload" {
			wrong = append(wrong, p.at(kind).should("defined")...)
		}
	}
	return nil, wrong
}

// file reads a file that lies elsewhere, or one that was uploaded.
func (p place) file() (map[string]any, problem) {
	switch {
	case p.at("external").sent:
		at := p.at("external")
		if wrong := first(at.isObject(), at.at("url").isText(maxLink)); wrong != nil {
			return nil, wrong
		}
		return map[string]any{"type": "external", "external": map[string]any{"url": at.at("url").value}}, nil
	case p.at("file_upload").sent:
		at := p.at("file_upload")
		if wrong := first(at.isObject(), at.at("id").isUUID()); wrong != nil {
			return nil, wrong
		}
		return p.c.attached(kit.Text(cast.Object(at.value), "id")), nil
	case p.at("file").sent: // as Notion itself gave it
		return map[string]any{"type": "file", "file": p.at("file").value}, nil
	}
	return nil, append(p.at("external").should("defined"), p.at("file_upload").should("defined")...)
}

// attached is an uploaded file as objects show it: under an address that is
// good for an hour.
func (c *call) attached(id string) map[string]any {
	id, _ = uuidOf(id)
	filename := "file"
	if r, ok := c.find(fileUploads, id); ok && kit.Text(r.Value(), "filename") != "" {
		filename = kit.Text(r.Value(), "filename")
	}
	return map[string]any{"type": "file", "file": c.address(id, filename)}
}
