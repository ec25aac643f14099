package exchange

import (
	"strings"

	"parity/fakes/world"
	"parity/faults/run"
)

// vars gives what conditions may name: only what one does name is made, once for
// all rules of an exchange.
func (x *Exchange) vars(t *run.Turn) func(names func(string) bool) map[string]any {
	vars := make(map[string]any, 5)
	return func(names func(string) bool) map[string]any {
		x.lack(t, vars, func(name string) bool { return vars[name] == nil && names(name) })
		return vars
	}
}

// lack adds to vars what a condition names and they lack.
func (x *Exchange) lack(t *run.Turn, vars map[string]any, names func(string) bool) {
	if names("request") {
		vars["request"] = x.requestVars()
	}
	if names("result") {
		vars["result"] = x.reply.Result
	}
	if names("run") {
		vars["run"] = map[string]any{"id": x.run.ID, "seed": int64(x.run.Seed), "exchanges": int64(t.State.Seq)} //nolint:gosec // shown as it is
	}
	if names("clock") {
		vars["clock"] = map[string]any{"now": t.Now.Unix(), "elapsed": t.Now.Sub(t.State.Began).Seconds()}
	}
	if names("world") {
		vars["world"] = worldVars(t.State.World)
	}
}

func (x *Exchange) requestVars() map[string]any {
	header := make(map[string]any, len(x.r.Header))
	for name, values := range x.r.Header {
		header[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	path := make(map[string]any, len(x.input.Path))
	for name, value := range x.input.Path {
		path[name] = value
	}
	return map[string]any{
		"method": x.r.Method, "path": path, "query": orEmpty(x.input.Query), "body": orEmpty(x.input.Body), "header": header,
		"host": x.entry.Host, "attempt": int64(x.entry.Intent.Attempt), "identity": x.identity,
	}
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// worldVars lays the world out as world.SERVICE.COLLECTION, each a list.
func worldVars(w *world.World) map[string]any {
	services := map[string]any{}
	for _, name := range w.Collections() {
		service, collection, _ := strings.Cut(name, ".")
		of, ok := services[service].(map[string]any)
		if !ok {
			of = map[string]any{}
			services[service] = of
		}
		list := make([]any, 0, w.Len(name))
		for r := range w.Oldest(name, 0) {
			list = append(list, r.Value())
		}
		of[collection] = list
	}
	return services
}
