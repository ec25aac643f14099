package hubspot

import (
	"net/http"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// Pipelines as the APIs of deals and of the CRM had them before v3.

// pipelineTypeV1 is the type whose pipelines a path is about.
func (c *call) pipelineTypeV1() (*objectType, *refusal) {
	if strings.HasPrefix(c.Operation.Path, "/deals/") {
		return c.deals(), nil
	}
	return c.objectType("objectType")
}

// showPipelineV1 writes a pipeline as the path's API does.
func (c *call) showPipelineV1(o *objectType, p map[string]any) map[string]any {
	ofDeals := strings.HasPrefix(c.Operation.Path, "/deals/")
	stages := []any{}
	for _, stage := range stagesOf(p) {
		metadata := cast.Object(stage["metadata"])
		shown := map[string]any{"stageId": stage["id"], "label": stage["label"], "displayOrder": stage["displayOrder"], "active": true}
		if ofDeals {
			n, _ := strconv.ParseFloat(cast.Text(metadata["probability"]), 64)
			shown["probability"], shown["closedWon"] = n, n == 1
		} else {
			shown["metadata"], shown["createdAt"], shown["updatedAt"] = metadata, millis(cast.Text(stage["createdAt"])), millis(cast.Text(stage["updatedAt"]))
		}
		stages = append(stages, shown)
	}
	shown := map[string]any{"pipelineId": p["id"], "label": p["label"], "displayOrder": p["displayOrder"], "active": true, "stages": stages}
	if ofDeals {
		shown["staticDefault"] = false
		return shown
	}
	shown["objectType"], shown["objectTypeId"], shown["default"] = o.upper, o.id, p["id"] == c.firstPipeline(o)
	shown["createdAt"], shown["updatedAt"] = millis(cast.Text(p["createdAt"])), millis(cast.Text(p["updatedAt"]))
	return shown
}

func listPipelinesV1(c *call, o *objectType) (answer, *refusal) {
	all := []any{}
	for _, p := range c.pipelinesOf(o) {
		all = append(all, c.showPipelineV1(o, p))
	}
	if strings.HasPrefix(c.Operation.Path, "/deals/") {
		return answer{status: http.StatusOK, list: all}, nil
	}
	return ok(map[string]any{"results": all})
}

// namedPipelineV1 finds the pipeline of the path.
func (c *call) namedPipelineV1() (*objectType, map[string]any, *refusal) {
	o, refused := c.pipelineTypeV1()
	if refused != nil {
		return nil, nil, refused
	}
	p := c.pipeline(o, c.Input.Path["pipelineId"])
	if p == nil {
		return nil, nil, &refusal{status: http.StatusNotFound, message: "Pipeline does not exist: " + kit.Clip(c.Input.Path["pipelineId"])}
	}
	return o, p, nil
}

func getPipelineV1(c *call, o *objectType, p map[string]any) (answer, *refusal) {
	return ok(c.showPipelineV1(o, p))
}

// stagesV1 makes stages of those that are given; without any, a pipeline has
// those of the one that every account begins with, under ids of their own.
func (c *call) stagesV1(o *objectType) []any {
	given := cast.Objects(c.Input.Body["stages"])
	stages := []any{}
	for _, one := range given {
		metadata := map[string]any{}
		for field, v := range cast.Object(one["metadata"]) {
			metadata[field] = cast.Plain(v)
		}
		if one["probability"] != nil {
			n, _ := strconv.ParseFloat(cast.Plain(one["probability"]), 64)
			metadata["probability"], metadata["isClosed"] = strconv.FormatFloat(n, 'f', 1, 64), strconv.FormatBool(n == 0 || n == 1)
		}
		id := cast.Plain(one["stageId"])
		if id == "" {
			id = c.id(pipelines)
		}
		stages = append(stages, c.stageV1(id, cast.Text(one["label"]), cast.Int(one["displayOrder"]), metadata))
	}
	if first := builtinPipeline(o); given == nil && first != nil {
		for _, stage := range stagesOf(first) {
			stages = append(stages, c.stageV1(c.id(pipelines), cast.Text(stage["label"]), cast.Int(stage["displayOrder"]), cast.Object(stage["metadata"])))
		}
	}
	return stages
}

func (c *call) stageV1(id, label string, order int64, metadata map[string]any) map[string]any {
	return map[string]any{
		"id": id, "label": label, "displayOrder": order, "metadata": metadata, "createdAt": c.now(), "updatedAt": c.now(), "archived": false,
		"writePermissions": "CRM_PERMISSIONS_ENFORCEMENT",
	}
}

func createPipelineV1(c *call, o *objectType) (answer, *refusal) {
	id := c.text("pipelineId")
	if id == "" {
		id = c.uuid()
	}
	if c.pipeline(o, id) != nil {
		return answer{}, &refusal{status: http.StatusConflict, message: "Pipeline already exists: " + kit.Clip(id)}
	}
	p := map[string]any{
		"id": id, "label": c.text("label"), "displayOrder": cast.Int(c.Input.Body["displayOrder"]), "stages": c.stagesV1(o),
		"createdAt": c.now(), "updatedAt": c.now(), "archived": false,
	}
	c.keepPipeline(o, p)
	return ok(c.showPipelineV1(o, p))
}

func updatePipelineV1(c *call, o *objectType, p map[string]any) (answer, *refusal) {
	p = c.amended(p)
	if c.Input.Body["stages"] != nil {
		p["stages"] = c.stagesV1(o)
	}
	c.keepPipeline(o, p)
	return ok(c.showPipelineV1(o, p))
}

func archivePipelineV1(c *call, o *objectType, p map[string]any) (answer, *refusal) {
	p = changed(p)
	p["archived"], p["archivedAt"] = true, c.now()
	c.keepPipeline(o, p)
	return doneTyped()
}

// importPipelinesV1 takes in the pipelines of deals.
func (c *call) importPipelinesV1(shown map[string]any) {
	all := cast.Objects(shown[bareList])
	if shown["pipelineId"] != nil {
		all = []map[string]any{shown}
	}
	for _, one := range all {
		stages := []any{}
		for _, stage := range cast.Objects(one["stages"]) {
			n, _ := strconv.ParseFloat(cast.Plain(stage["probability"]), 64)
			stages = append(stages, c.stageV1(cast.Text(stage["stageId"]), cast.Text(stage["label"]), cast.Int(stage["displayOrder"]), map[string]any{
				"probability": strconv.FormatFloat(n, 'f', 1, 64), "isClosed": strconv.FormatBool(n == 0 || n == 1),
			}))
		}
		id := c.deals().name + "/" + cast.Text(one["pipelineId"])
		c.keep(pipelines, id, map[string]any{
			"id": id, "objectType": c.deals().name, "label": one["label"], "displayOrder": one["displayOrder"], "stages": stages,
			"createdAt": c.now(), "updatedAt": c.now(), "archived": false,
		})
	}
}
