package generic_test

import "testing"

// PUT makes, POST makes or changes, and each of them takes many: a body is
// {"Items": [...]} where one is meant too.
const bulky = `
paths:
  /Items:
    get: {responses: {'200': {description: all, content: {application/json: {schema: {$ref: '#/components/schemas/Items'}}}}}}
    put:
      operationId: createItems
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Items'}}}}
      responses: {'200': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Items'}}}}}
    post:
      operationId: updateOrCreateItems
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Items'}}}}
      responses: {'200': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Items'}}}}}
  /Items/{ItemID}:
    parameters: [{name: ItemID, in: path, required: true, schema: {type: string, format: uuid}}]
    get: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Items'}}}}}}
    post:
      operationId: updateItem
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Items'}}}}
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Items'}}}}}
    delete: {responses: {'204': {description: gone}}}
components:
  schemas:
    Items: {type: object, properties: {Items: {type: array, items: {$ref: '#/components/schemas/Item'}}}}
    Item: {type: object, properties: {ItemID: {type: string, format: uuid}, Code: {type: string}, Name: {type: string}}}
`

func TestAPutThatIsCalledACreationMakes(t *testing.T) {
	t.Parallel()
	r := play(t, bulky)
	made := r.must(200, r.put("/Items", `{"Items": [{"Code": "a", "Name": "A"}, {"Code": "b"}]}`))
	id := made.text("Items.0.ItemID")
	want(t, r.must(200, r.get("/Items/"+id)), map[string]any{"Items.0.Code": "a", "Items.0.Name": "A"})
	if got := r.get("/Items").column("Items", "Code"); got != "a b" {
		t.Errorf("there are %s", got)
	}
	r.must(200, r.post("/Items/"+id, `{"Items": [{"Name": "AA"}]}`))
	want(t, r.must(200, r.get("/Items/"+id)), map[string]any{"Items.0.Code": "a", "Items.0.Name": "AA"})
	r.must(204, r.delete("/Items/"+id))
}

func TestWhatIsCalledUpdateOrCreateChangesTheOneThatIsThere(t *testing.T) {
	t.Parallel()
	r := play(t, bulky)
	id := r.must(200, r.post("/Items", `{"Items": [{"Code": "a", "Name": "A"}]}`)).text("Items.0.ItemID")
	both := r.must(200, r.post("/Items", `{"Items": [{"ItemID": "`+id+`", "Name": "AA"}, {"Code": "b"}]}`))
	want(t, both, map[string]any{"Items.0.ItemID": id, "Items.0.Code": "a", "Items.0.Name": "AA", "Items.1.Code": "b"})
	if got := r.get("/Items").column("Items", "Name"); got != "AA <nil>" {
		t.Errorf("there are %s", got)
	}
}
