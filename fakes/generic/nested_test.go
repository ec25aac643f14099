package generic_test

import "testing"

// Folders are made in one place and listed in the folder that they are in, with
// files among them. One folder is nobody's: the root.
const filed = `
paths:
  /folders:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [name, parent], properties: {name: {type: string}, parent: {type: object, required: [id], properties: {id: {type: string}}}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Folder'}}}}}
  /folders/{folder_id}:
    parameters: [{$ref: '#/components/parameters/folder'}]
    get: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Folder'}}}}, '404': {description: none}}}
    delete: {responses: {'204': {description: gone}}}
  /folders/{folder_id}/items:
    parameters: [{$ref: '#/components/parameters/folder'}]
    get:
      parameters: [{name: limit, in: query, schema: {type: integer}}, {name: offset, in: query, schema: {type: integer}}]
      responses: {'200': {description: all, content: {application/json: {schema: {type: object, properties: {total_count: {type: integer}, entries: {type: array, items: {oneOf: [{$ref: '#/components/schemas/FileMini'}, {$ref: '#/components/schemas/FolderMini'}]}}}}}}}, '404': {description: none}}
components:
  parameters:
    folder: {name: folder_id, in: path, required: true, schema: {type: string}, description: "The id of a folder, such as the one in the address, for example '12'. The root folder of an account\nis always represented by the ID '0'."}
  schemas:
    FileMini: {type: object, required: [id, type, sha1], properties: {id: {type: string}, type: {type: string, enum: [file]}, name: {type: string}, sha1: {type: string}}}
    FolderMini: {type: object, required: [id, type], properties: {id: {type: string}, type: {type: string, enum: [folder]}, name: {type: string}}}
    Folder:
      allOf:
        - $ref: '#/components/schemas/FolderMini'
        - {type: object, properties: {description: {type: string, nullable: true}, parent: {type: object, nullable: true, required: [id, type], properties: {id: {type: string}, type: {type: string, enum: [folder]}, name: {type: string}}}}}
`

func TestWhatIsMadeInAFolderIsListedInIt(t *testing.T) {
	t.Parallel()
	r := play(t, filed)
	in := func(name, parent string) string {
		return r.must(201, r.post("/folders", `{"name": "`+name+`", "parent": {"id": "`+parent+`"}}`)).text("id")
	}
	a := in("a", "0")
	in("b", "0")
	in("c", a)
	for at, wanted := range map[string]string{"0/items": "a b", a + "/items": "c", "0/items?limit=1": "a", "0/items?limit=1&offset=1": "b"} {
		if got := r.must(200, r.get("/folders/"+at)).column("entries", "name"); got != wanted {
			t.Errorf("in %s are %s, not %s", at, got, wanted)
		}
	}
	want(t, r.get("/folders/0/items?limit=1"), map[string]any{"total_count": 2.0, "entries.0.type": "folder"})
	if got := r.get("/folders/77/items").status; got != 404 {
		t.Errorf("a folder that nobody made lists with %d", got)
	}
}

func TestAnIDThatTheDocumentSpeaksOfIsThere(t *testing.T) {
	t.Parallel()
	r := play(t, filed)
	want(t, r.must(200, r.get("/folders/0")), map[string]any{"id": "0"})
	for _, id := range []string{"1", "12"} { // of the one, nothing is said; the other is an example
		if got := r.get("/folders/" + id).status; got != 404 {
			t.Errorf("%s is a %d", id, got)
		}
	}
	r.must(204, r.delete("/folders/0"))
	if got := r.get("/folders/0").status; got != 404 {
		t.Errorf("deleted, it is a %d", got)
	}
}
