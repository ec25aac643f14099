package hubspot

import "parity/fakes/kit"

// What stands before handlers in the tables of hubspot.go: each finds what a
// call is about, or answers for the handler.

// on answers a call about what a guard finds.
func on[T any](find func(*call) (T, *refusal), act func(*call, T) (answer, *refusal)) handler {
	return kit.With(find, act)
}

// onType answers a call about the records of the type that the path names.
func onType(act func(*call, *objectType) (answer, *refusal)) handler {
	return on(func(c *call) (*objectType, *refusal) { return c.objectType("objectType") }, act)
}

// onEnds answers a call about the records at both ends of an association.
func onEnds(act func(*call, association) (answer, *refusal)) handler {
	return on((*call).ends, act)
}

// onPairs answers a call about many associations.
func onPairs(most int, act func(c *call, a association, inputs []map[string]any) (answer, *refusal)) handler {
	return kit.WithTwo(func(c *call) (association, []map[string]any, *refusal) { return c.pairs(most) }, act)
}

// onPipeline answers a call about a pipeline.
func onPipeline(act func(c *call, o *objectType, pipeline map[string]any) (answer, *refusal)) handler {
	return kit.WithTwo((*call).named, act)
}

// onBatch answers a call about the records of a type that a batch names.
func onBatch(act func(c *call, o *objectType, inputs []map[string]any) (answer, *refusal)) handler {
	return onType(func(c *call, o *objectType) (answer, *refusal) {
		all, refused := c.some(mostInputs)
		if refused != nil {
			return answer{}, refused
		}
		return act(c, o, all)
	})
}
