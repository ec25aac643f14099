package github

import (
	"bytes"
	"maps"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Workflows are files of a repository. What they would do nobody runs: how long a
// run takes, and how it ends, a fixture says.
//
//	github.workflows: [{id: acme/web/.github/workflows/ci.yml, repo: acme/web, path: .github/workflows/ci.yml, takes: 2m, conclusion: failure}]
type workflow struct {
	path, name string
	on         map[string]map[string]any // what begins a run, by event
	jobs       []job
	kept       map[string]any // of a fixture, or of who has disabled it
}

// A job of a workflow, as far as anybody sees it.
type job struct {
	name          string
	labels, steps []string
}

func workflowKey(r repo, path string) string { return r.key() + "/" + path }

func (w workflow) number(r repo) int64 {
	return number(map[string]any{"id": "workflow " + workflowKey(r, w.path)}, "id")
}

func (w workflow) state() string { return textOr(w.kept, "state", "active") }

// workflows lists those that a commit has, by path.
func (c *call) workflows(r repo, sha string) []workflow {
	o, ok := c.objectOf(r, sha, commitKind)
	if !ok {
		return nil
	}
	folder, ok := c.walk(r, o.tree(), workflowsFolder)
	if !ok {
		return nil
	}
	var all []workflow
	for _, e := range c.entries(r, folder.sha) {
		if end := path.Ext(e.path); end != ".yml" && end != ".yaml" {
			continue
		}
		blob, _ := c.objectOf(r, e.sha, blobKind)
		w, ok := readWorkflow(blob.content())
		if !ok {
			continue
		}
		w.path = workflowsFolder + "/" + e.path
		if w.name == "" {
			w.name = w.path
		}
		if record, found := c.get(workflowsKept, workflowKey(r, w.path)); found {
			w.kept = record.Value()
		}
		all = append(all, w)
	}
	return all
}

// readWorkflow reads the file of a workflow; false: it is none.
func readWorkflow(text []byte) (workflow, bool) {
	loader, err := yaml.NewLoader(bytes.NewReader(text), yaml.WithPlugin(loaderlimits.New()))
	if err != nil {
		return workflow{}, false
	}
	var read any
	if err := loader.Load(&read); err != nil {
		return workflow{}, false
	}
	top := yamlObject(read)
	w := workflow{on: map[string]map[string]any{}}
	w.name, _ = top["name"].(string)
	switch on := top["on"].(type) {
	case string:
		w.on[on] = map[string]any{}
	case []any:
		for _, event := range cast.Texts(on) {
			w.on[event] = map[string]any{}
		}
	default:
		for event, filter := range yamlObject(on) {
			w.on[event] = yamlObject(filter)
		}
	}
	jobs := yamlObject(top["jobs"])
	for _, key := range slices.Sorted(maps.Keys(jobs)) {
		w.jobs = append(w.jobs, readJob(key, yamlObject(jobs[key])))
	}
	return w, len(w.on) > 0 && len(w.jobs) > 0
}

func readJob(key string, told map[string]any) job {
	one := job{name: textOr(told, "name", key), labels: texts(told["runs-on"])}
	steps, _ := told["steps"].([]any)
	for _, step := range steps {
		m := yamlObject(step)
		first, _, _ := strings.Cut(textOr(m, "run", kit.Text(m, "uses")), "\n")
		one.steps = append(one.steps, textOr(m, "name", "Run "+first))
	}
	return one
}

// yamlObject is an object of YAML by the names of its fields; nil: it is none.
func yamlObject(value any) map[string]any {
	switch m := value.(type) {
	case map[string]any:
		return m
	case map[any]any:
		all := map[string]any{}
		for key, one := range m {
			if name, ok := key.(string); ok {
				all[name] = one
			} else if key == true { // "on", for a reader of YAML 1.1
				all["on"] = one
			}
		}
		return all
	}
	return nil
}

// texts takes a text for a list of one.
func texts(value any) []string {
	if text, ok := value.(string); ok {
		return []string{text}
	}
	list, _ := value.([]any)
	return cast.Texts(list)
}

// begunBy tells whether a workflow runs on an event of a branch.
func (w workflow) begunBy(event, branch string) bool {
	filter, ok := w.on[event]
	if !ok || w.state() != "active" {
		return false
	}
	if some, told := filter["branches"]; told && !among(texts(some), branch) {
		return false
	}
	_, ofTags := filter["tags"]
	_, ofBranches := filter["branches"]
	if event == "push" && ofTags && !ofBranches {
		return false
	}
	return !among(texts(filter["branches-ignore"]), branch)
}

// among tells whether the last of some patterns that fits a branch takes it in.
// Source: docs.github.com/actions/reference/workflow-syntax-for-github-actions#filter-pattern-cheat-sheet.
func among(patterns []string, branch string) bool {
	in := false
	for _, pattern := range patterns {
		rest, not := strings.CutPrefix(pattern, "!")
		text := strings.NewReplacer(`\*\*`, ".*", `\*`, "[^/]*", `\?`, ".").Replace(regexp.QuoteMeta(rest))
		if fits, err := regexp.MatchString("^"+text+"$", branch); err == nil && fits {
			in = !not
		}
	}
	return in
}

func (c *call) showWorkflow(r repo, w workflow) map[string]any {
	id := w.number(r)
	created := textOr(r.value, "created_at", c.now())
	return map[string]any{
		"id": id, "node_id": nodeID("W", r.rid(), id), "name": w.name, "path": w.path, "state": w.state(), "created_at": created, "updated_at": created,
		"url": c.at(r) + "/actions/workflows/" + decimal(id), "html_url": c.page(r) + "/blob/" + r.branch() + "/" + w.path,
		"badge_url": c.page(r) + "/workflows/" + escapePath(w.name) + "/badge.svg",
	}
}

// workflowAt finds the workflow that a path names by its number or its file.
func (c *call) workflowAt(r repo) (workflow, *refusal) {
	for _, w := range c.workflows(r, c.tip(r)) {
		if c.path("workflow_id") == path.Base(w.path) || c.path("workflow_id") == decimal(w.number(r)) {
			return w, nil
		}
	}
	return workflow{}, notFound()
}

// onWorkflow answers a call about one workflow.
func onWorkflow(level string, act func(*call, repo, workflow) (answer, *refusal)) handler {
	return onWritableOr(level, func(c *call, r repo) (answer, *refusal) {
		w, refused := c.workflowAt(r)
		if refused != nil {
			return answer{}, refused
		}
		return act(c, r, w)
	})
}

// onWritableOr is onWritable, or onRepository for who reads.
func onWritableOr(level string, act inRepo) handler {
	if level == levelRead {
		return onRepository(act)
	}
	return onWritable(level, act)
}

func listWorkflows(c *call, r repo) (answer, *refusal) {
	return counted(c, "workflows", c.workflows(r, c.tip(r)), func(w workflow) any { return c.showWorkflow(r, w) }), nil
}

func getWorkflow(c *call, r repo, w workflow) (answer, *refusal) {
	return answer{value: c.showWorkflow(r, w)}, nil
}

// switchWorkflow enables a workflow, or disables it.
func switchWorkflow(state string) func(*call, repo, workflow) (answer, *refusal) {
	return func(c *call, r repo, w workflow) (answer, *refusal) {
		value := maps.Clone(w.kept)
		if value == nil {
			value = map[string]any{"id": workflowKey(r, w.path), "repo": r.key(), "path": w.path}
			value["state"] = state
			c.create(workflowsKept, value)
		} else {
			value["state"] = state
			c.update(workflowsKept, value)
		}
		return answer{status: http.StatusNoContent}, nil
	}
}

// runsOf lists the runs of a repository, newest first, as a call narrows them.
func (c *call) runsOf(r repo, path string) []*world.Record {
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, workflowRuns, "repo", r.key()) {
		value := record.Value()
		fits := path == "" || kit.Text(value, "path") == path
		for parameter, field := range map[string]string{"actor": "actor", "branch": "head_branch", "event": "event", "head_sha": "head_sha", "check_suite_id": "suite"} {
			if want := c.query(parameter); want != "" && !strings.EqualFold(want, titleIn(value[field])) {
				fits = false
			}
		}
		if want := c.query("status"); want != "" && want != kit.Text(value, "status") && want != kit.Text(value, "conclusion") {
			fits = false
		}
		if fits {
			all = append(all, record)
		}
	}
	return all
}
