package hubspot

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// rootFolder is the folder that lists and folders are in, unless they are in
// another.
const rootFolder = "0"

func noFolder(id string) *refusal {
	return &refusal{status: http.StatusNotFound, category: notFoundCategory, message: "Folder does not exist with ID " + kit.Clip(id) + "."}
}

// showFolder writes a folder with what is in it, folders in folders included.
func (c *call) showFolder(id string, value map[string]any) map[string]any {
	shown := changed(value)
	shown["id"] = id
	inside, nodes := []any{}, []any{}
	for r := range c.Tx.Oldest(c.fake.store.Full(lists), 0) {
		in := cast.Text(segment(r)["folder"])
		if !deleted(r) && (in == id || in == "" && id == rootFolder) {
			inside = append(inside, whole(r.ID))
		}
	}
	for r := range c.Tx.Oldest(c.fake.store.Full(folders), 0) {
		if r.Value()["parentFolderId"] == id {
			nodes = append(nodes, c.showFolder(r.ID, r.Value()))
		}
	}
	shown["childLists"], shown["childNodes"] = inside, nodes
	return shown
}

func (c *call) folder(id string) (map[string]any, *refusal) {
	if id == "" || id == rootFolder {
		return map[string]any{"parentFolderId": nil, "name": "", "userId": int64(100)}, nil
	}
	r, there := c.fake.store.Get(c.Tx, folders, id)
	if !there {
		return nil, noFolder(id)
	}
	return r.Value(), nil
}

func getFolders(c *call) (answer, *refusal) {
	id := c.query("folderId")
	value, refused := c.folder(id)
	if refused != nil {
		return answer{}, refused
	}
	if id == "" {
		id = rootFolder
	}
	return ok(map[string]any{"folder": c.showFolder(id, value)})
}

func createFolder(c *call) (answer, *refusal) {
	parent := cast.Plain(c.Input.Body["parentFolderId"])
	if parent == "" {
		parent = rootFolder
	}
	if _, refused := c.folder(parent); refused != nil {
		return answer{}, refused
	}
	id := c.id(folders)
	value := map[string]any{"id": id, "name": c.text("name"), "parentFolderId": parent, "userId": int64(100), "createdAt": c.now(), "updatedAt": c.now()}
	c.fake.store.Create(c.Tx, folders, id, value)
	return ok(map[string]any{"folder": c.showFolder(id, value)})
}

func (c *call) namedFolder() (*world.Record, *refusal) {
	r, there := c.fake.store.Get(c.Tx, folders, c.Input.Path["folderId"])
	if !there {
		return nil, noFolder(c.Input.Path["folderId"])
	}
	return r, nil
}

func (c *call) setFolder(r *world.Record, field, to string) (answer, *refusal) {
	value := changed(r.Value())
	value[field], value["updatedAt"] = to, c.now()
	c.fake.store.Update(c.Tx, folders, r.ID, value)
	return ok(map[string]any{"folder": c.showFolder(r.ID, value)})
}

func renameFolder(c *call, r *world.Record) (answer, *refusal) {
	return c.setFolder(r, "name", c.query("newFolderName"))
}

// moveFolder moves a folder; not into itself, nor into one that is in it.
func moveFolder(c *call, r *world.Record) (answer, *refusal) {
	to := c.Input.Path["newParentFolderId"]
	for at := to; at != rootFolder; {
		parent, refused := c.folder(at)
		if refused != nil {
			return answer{}, refused
		}
		if at == r.ID {
			return answer{}, invalid("A folder can not be moved into itself")
		}
		at = cast.Text(parent["parentFolderId"])
	}
	return c.setFolder(r, "parentFolderId", to)
}

// deleteFolder takes an empty folder away.
func deleteFolder(c *call, r *world.Record) (answer, *refusal) {
	shown := c.showFolder(r.ID, r.Value())
	if len(cast.List(shown["childLists"]))+len(cast.List(shown["childNodes"])) > 0 {
		return answer{}, invalid("Folder %s is not empty", r.ID)
	}
	c.fake.store.Delete(c.Tx, folders, r.ID)
	return done()
}

func moveSegment(c *call) (answer, *refusal) {
	r, there := c.fake.store.Get(c.Tx, lists, cast.Plain(c.Input.Body["listId"]))
	if !there || deleted(r) {
		return answer{}, noSegment(cast.Plain(c.Input.Body["listId"]))
	}
	to := cast.Plain(c.Input.Body["newFolderId"])
	if _, refused := c.folder(to); refused != nil {
		return answer{}, refused
	}
	c.setSegment(r, map[string]any{"folder": to})
	return done()
}
