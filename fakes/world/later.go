package world

import "sync"

// Later gives a world of which some collections are what another one has of
// them, which is made when somebody first looks into any of those. That other
// one has to come of this world, or of one that it comes of: they have one
// schema. Who looks waits for it; whether it is made yet shows nowhere else.
func (w *World) Later(collections []string, other func() *World) *World {
	made := sync.OnceValue(func() *World {
		o := other()
		if o.schema != w.schema {
			panic("world: what is made later does not come of the world that waits for it")
		}
		return o
	})
	v := view{schema: w.schema, shelves: make([]*shelf, len(w.shelves))}
	for i, s := range w.shelves {
		mine := *s
		v.shelves[i] = &mine
	}
	for _, name := range collections {
		if i, ok := w.schema.position[name]; ok {
			v.shelves[i/shelfSize][i%shelfSize] = &table{declared: w.schema.collections[i], later: func() *table { return made().at(i) }}
		}
	}
	return &World{v}
}

// Waits tells whether a collection is made when somebody looks into it, and
// nobody has had to yet in this world: Len would.
func (w *World) Waits(collection string) bool {
	i, ok := w.schema.position[collection]
	return ok && w.shelves[i/shelfSize][i%shelfSize].later != nil
}
