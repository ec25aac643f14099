package hubspot

import (
	"net/http"
	"slices"
	"strconv"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// keepPipeline writes a pipeline; that which every account has becomes a record
// when it is first changed.
func (c *call) keepPipeline(o *objectType, p map[string]any) {
	value := changed(p)
	id := o.name + "/" + cast.Text(p["id"])
	value["id"], value["objectType"] = id, o.name
	if _, there := c.fake.store.Get(c.Tx, pipelines, id); there {
		c.fake.store.Update(c.Tx, pipelines, id, value)
		return
	}
	c.fake.store.Create(c.Tx, pipelines, id, value)
}

// stage makes a stage of an input; deals want to know how likely they are.
func (c *call) stage(o *objectType, given map[string]any, taken []string) (map[string]any, *refusal) {
	sent, _ := given["metadata"].(map[string]any)
	metadata := map[string]any{}
	for field, value := range sent {
		metadata[field] = cast.Plain(value)
	}
	if o.name == "deals" {
		n, err := strconv.ParseFloat(cast.Text(metadata["probability"]), 64)
		if err != nil || n < 0 || n > 1 {
			return nil, invalid("Deal stages must have a probability between 0.0 and 1.0 in their metadata")
		}
		metadata["isClosed"] = strconv.FormatBool(n == 0 || n == 1)
	}
	if o.name == "tickets" && cast.Text(metadata["ticketState"]) == "" {
		metadata["ticketState"] = "OPEN"
	}
	id := cast.Text(given["stageId"])
	if id == "" {
		id = c.id(pipelines)
	}
	if slices.Contains(taken, id) {
		return nil, &refusal{status: http.StatusConflict, category: conflictCategory, message: "Stage with id " + kit.Clip(id) + " already exists"}
	}
	return map[string]any{
		"id": id, "label": cast.Text(given["label"]), "displayOrder": given["displayOrder"], "metadata": metadata,
		"createdAt": c.now(), "updatedAt": c.now(), "archived": false, "writePermissions": "CRM_PERMISSIONS_ENFORCEMENT",
	}, nil
}

func createPipeline(c *call, o *objectType) (answer, *refusal) {
	id := c.text("pipelineId")
	if id == "" {
		id = c.id(pipelines)
	}
	for _, p := range c.pipelinesOf(o) {
		if p["id"] == id || p["label"] == c.text("label") {
			return answer{}, &refusal{status: http.StatusConflict, category: conflictCategory, message: "Pipeline with label " + kit.Clip(c.text("label")) + " already exists"}
		}
	}
	stages, refused := c.stages(o)
	if refused != nil {
		return answer{}, refused
	}
	p := map[string]any{
		"id": id, "label": c.text("label"), "displayOrder": c.Input.Body["displayOrder"], "stages": stages,
		"createdAt": c.now(), "updatedAt": c.now(), "archived": false,
	}
	c.keepPipeline(o, p)
	return answer{status: http.StatusCreated, value: p}, nil
}

func updatePipeline(c *call, o *objectType, p map[string]any) (answer, *refusal) {
	p = c.amended(p)
	c.keepPipeline(o, p)
	return ok(p)
}

// stages are those of a pipeline as it is written.
func (c *call) stages(o *objectType) (stages []any, refused *refusal) {
	var taken []string
	for _, one := range cast.List(c.Input.Body["stages"]) {
		stage, refused := c.stage(o, cast.Object(one), taken)
		if refused != nil {
			return nil, refused
		}
		stages, taken = append(stages, stage), append(taken, cast.Text(stage["id"]))
	}
	if len(stages) == 0 {
		return nil, invalid("A pipeline must have at least one stage")
	}
	return stages, nil
}

// replacePipeline writes a pipeline anew, with all of its stages.
func replacePipeline(c *call, o *objectType, p map[string]any) (answer, *refusal) {
	stages, refused := c.stages(o)
	if refused != nil {
		return answer{}, refused
	}
	p = c.amended(p)
	p["stages"] = stages
	c.keepPipeline(o, p)
	return ok(p)
}

// amended lays the fields that were sent over a pipeline or a stage.
func (c *call) amended(value map[string]any) map[string]any {
	after := changed(value)
	for _, field := range []string{"label", "displayOrder"} {
		if sent, ok := c.Input.Body[field]; ok {
			after[field] = sent
		}
	}
	after["updatedAt"] = c.now()
	return after
}

// inUse counts the records that hold a value.
func (c *call) inUse(o *objectType, property, value string) int {
	n := 0
	for r := range c.Tx.Oldest(c.fake.store.Full(o.collection), 0) {
		if held, _ := r.Value()["properties"].(map[string]any); r.Value()["archived"] != true && cast.Text(held[property]) == value {
			n++
		}
	}
	return n
}

func archivePipeline(c *call, o *objectType, p map[string]any) (answer, *refusal) {
	id := cast.Text(p["id"])
	if c.flag("validateReferencesBeforeDelete") || c.flag("validateDealStageUsagesBeforeDelete") {
		if n := c.inUse(o, o.pipeline, id); o.pipeline != "" && n > 0 {
			return answer{}, invalid("Pipeline %s is referenced by %d objects and cannot be deleted", id, n)
		}
	}
	if builtin := builtinPipeline(o); builtin != nil && builtin["id"] == id && len(c.pipelinesOf(o)) == 1 {
		return answer{}, invalid("The last pipeline of an object type cannot be deleted")
	}
	p = changed(p)
	p["archived"], p["archivedAt"] = true, c.now()
	c.keepPipeline(o, p)
	return done()
}

func createStage(c *call, o *objectType, p map[string]any) (answer, *refusal) {
	stage, refused := c.stage(o, c.Input.Body, stageIDs(p))
	if refused != nil {
		return answer{}, refused
	}
	p = changed(p)
	p["stages"] = append(anyMaps(stagesOf(p)), stage)
	c.keepPipeline(o, p)
	return answer{status: http.StatusCreated, value: stage}, nil
}

// amendStage writes one stage of the path's pipeline; nil takes it away.
func (c *call) amendStage(change func(map[string]any) map[string]any) (map[string]any, *refusal) {
	o, p, refused := c.named()
	if refused != nil {
		return nil, refused
	}
	var stages []any
	var after map[string]any
	found := false
	for _, stage := range stagesOf(p) {
		if stage["id"] == c.Input.Path["stageId"] {
			found = true
			if after = change(stage); after == nil {
				continue
			}
			stage = after
		}
		stages = append(stages, stage)
	}
	if !found {
		return nil, noStage(c.Input.Path["stageId"])
	}
	if len(stages) == 0 {
		return nil, invalid("A pipeline must have at least one stage")
	}
	p = changed(p)
	p["stages"] = stages
	c.keepPipeline(o, p)
	return after, nil
}

func updateStage(c *call) (answer, *refusal) {
	stage, refused := c.amendStage(func(stage map[string]any) map[string]any {
		after := c.amended(stage)
		if sent, ok := c.Input.Body["metadata"].(map[string]any); ok {
			metadata := changed(cast.Object(stage["metadata"]))
			for field, value := range sent {
				metadata[field] = cast.Plain(value)
			}
			after["metadata"] = metadata
		}
		return after
	})
	if refused != nil {
		return answer{}, refused
	}
	return ok(stage)
}

func archiveStage(c *call, o *objectType) (answer, *refusal) {
	if n := c.inUse(o, o.stage, c.Input.Path["stageId"]); o.stage != "" && n > 0 {
		return answer{}, invalid("Stage %s is referenced by %d objects and cannot be deleted", kit.Clip(c.Input.Path["stageId"]), n)
	}
	if _, refused := c.amendStage(func(map[string]any) map[string]any { return nil }); refused != nil {
		return answer{}, refused
	}
	return done()
}
