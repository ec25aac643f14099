package hubspot

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// builtin pipelines are those that every account begins with: a stage's id, its
// label, and its probability or its state.
const (
	salesStages = `appointmentscheduled|Appointment Scheduled|0.2
qualifiedtobuy|Qualified To Buy|0.4
presentationscheduled|Presentation Scheduled|0.6
decisionmakerboughtin|Decision Maker Bought-In|0.8
contractsent|Contract Sent|0.9
closedwon|Closed Won|1.0
closedlost|Closed Lost|0.0`

	supportStages = `1|New|OPEN
2|Waiting on contact|OPEN
3|Waiting on us|OPEN
4|Closed|CLOSED`
)

func builtinPipeline(o *objectType) map[string]any {
	id, name, lines := "default", "Sales Pipeline", salesStages
	switch o.name {
	case "tickets":
		id, name, lines = "0", "Support Pipeline", supportStages
	case "deals":
	default:
		return nil
	}
	var stages []any
	for i, line := range strings.Split(lines, "\n") {
		parts := strings.Split(line, "|")
		metadata := map[string]any{"ticketState": parts[2], "isClosed": strconv.FormatBool(parts[2] == "CLOSED")}
		if o.name == "deals" {
			metadata = map[string]any{"isClosed": strconv.FormatBool(parts[2] == "1.0" || parts[2] == "0.0"), "probability": parts[2]}
		}
		stages = append(stages, map[string]any{
			"id": parts[0], "label": parts[1], "displayOrder": int64(i), "metadata": metadata,
			"createdAt": "1970-01-01T00:00:00Z", "updatedAt": "1970-01-01T00:00:00Z", "archived": false, "writePermissions": "CRM_PERMISSIONS_ENFORCEMENT",
		})
	}
	return map[string]any{
		"id": id, "label": name, "displayOrder": int64(0), "stages": stages,
		"createdAt": "1970-01-01T00:00:00Z", "updatedAt": "1970-01-01T00:00:00Z", "archived": false,
	}
}

// pipelinesOf lists a type's pipelines: that which every account has, unless it
// was changed, and the account's own.
func (c *call) pipelinesOf(o *objectType) []map[string]any {
	var own []map[string]any
	first := builtinPipeline(o)
	for r := range c.fake.store.Find(c.Tx, pipelines, "objectType", o.name) {
		if first != nil && r.Value()["id"] == o.name+"/"+cast.Text(first["id"]) {
			first = nil
		}
		if r.Value()["archived"] != true {
			own = append(own, shownPipeline(r.Value()))
		}
	}
	slices.Reverse(own)
	if first != nil {
		own = append([]map[string]any{first}, own...)
	}
	slices.SortStableFunc(own, func(a, b map[string]any) int {
		return int(whole(cast.Plain(a["displayOrder"])) - whole(cast.Plain(b["displayOrder"])))
	})
	return own
}

func shownPipeline(value map[string]any) map[string]any {
	shown := changed(value)
	_, id, _ := strings.Cut(cast.Text(value["id"]), "/")
	shown["id"] = id
	delete(shown, "objectType")
	return shown
}

func (c *call) pipeline(o *objectType, id string) map[string]any {
	for _, p := range c.pipelinesOf(o) {
		if p["id"] == id {
			return p
		}
	}
	return nil
}

func (c *call) firstPipeline(o *objectType) string {
	if all := c.pipelinesOf(o); len(all) > 0 {
		return cast.Text(all[0]["id"])
	}
	return ""
}

func (c *call) pipelineIDs(o *objectType) []string {
	var ids []string
	for _, p := range c.pipelinesOf(o) {
		ids = append(ids, cast.Text(p["id"]))
	}
	return ids
}

func stagesOf(pipeline map[string]any) []map[string]any {
	var all []map[string]any
	for _, one := range cast.List(pipeline["stages"]) {
		if stage, ok := one.(map[string]any); ok && stage["archived"] != true {
			all = append(all, stage)
		}
	}
	return all
}

func stageIDs(pipeline map[string]any) []string {
	var ids []string
	for _, stage := range stagesOf(pipeline) {
		ids = append(ids, cast.Text(stage["id"]))
	}
	return ids
}

// probability is what a stage says of its deals, and whether they are closed.
func (c *call) probability(o *objectType, pipeline, stage string) (float64, bool) {
	for _, s := range stagesOf(c.pipeline(o, pipeline)) {
		if s["id"] == stage {
			metadata, _ := s["metadata"].(map[string]any)
			n, err := strconv.ParseFloat(cast.Text(metadata["probability"]), 64)
			if err != nil {
				n = 0
			}
			return n, cast.Text(metadata["isClosed"]) == "true"
		}
	}
	return 0, false
}

func noPipeline(id string) *refusal {
	return &refusal{
		status: http.StatusNotFound, category: notFoundCategory, message: fmt.Sprintf("No pipeline found with id %s", kit.Clip(id)),
		context: map[string]any{"pipelineId": []any{kit.Clip(id)}},
	}
}

func noStage(id string) *refusal {
	return &refusal{
		status: http.StatusNotFound, category: notFoundCategory, message: fmt.Sprintf("No stage found with id %s", kit.Clip(id)),
		context: map[string]any{"stageId": []any{kit.Clip(id)}},
	}
}

func anyMaps(all []map[string]any) []any {
	shown := make([]any, len(all))
	for i, one := range all {
		shown[i] = one
	}
	return shown
}

func listPipelines(c *call, o *objectType) (answer, *refusal) {
	return ok(map[string]any{"results": anyMaps(c.pipelinesOf(o))})
}

// named finds the pipeline of the path.
func (c *call) named() (*objectType, map[string]any, *refusal) {
	o, refused := c.objectType("objectType")
	if refused != nil {
		return nil, nil, refused
	}
	p := c.pipeline(o, c.Input.Path["pipelineId"])
	if p == nil {
		return nil, nil, noPipeline(c.Input.Path["pipelineId"])
	}
	return o, p, nil
}

func getPipeline(c *call, _ *objectType, p map[string]any) (answer, *refusal) {
	return ok(p)
}

func listStages(c *call, _ *objectType, p map[string]any) (answer, *refusal) {
	return ok(map[string]any{"results": anyMaps(stagesOf(p))})
}

func getStage(c *call, _ *objectType, p map[string]any) (answer, *refusal) {
	for _, stage := range stagesOf(p) {
		if stage["id"] == c.Input.Path["stageId"] {
			return ok(stage)
		}
	}
	return answer{}, noStage(c.Input.Path["stageId"])
}
