package profiles

import (
	"cmp"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parity/fakes/chance"
	"parity/fakes/fixture"
)

// fixtures reads the fixture files that a profile names, so that they are
// watched with it.
func (l *loader) fixtures(flat *item) {
	l.files, l.shown = map[*item]fixture.File{}, map[string]string{}
	if l.o.Start != nil {
		return // it has been read
	}
	for _, service := range flat.get("services").all() {
		for _, entry := range service.item.get("fixtures").entries() {
			if entry.ok() {
				l.fixture(service.name, entry)
			}
		}
	}
}

func (l *loader) fixture(service string, entry *item) {
	name := entry.str()
	if !isPath(name) && !strings.HasSuffix(name, ".json") {
		f, err := fixture.Open(service, name)
		if err != nil {
			l.wrong(entry.place, didYouMean(name, fixture.Shipped(service)), "fixtures: %v; a file is named by its path, such as ./%s.yaml", err, name)
			return
		}
		l.files[entry] = f
		return
	}
	from, ok := l.known[entry.file]
	if !ok {
		from = &gathered{source: source{shown: entry.file}}
	}
	src, err := l.o.beside(name, from.source)
	if err != nil {
		l.wrong(entry.place, "", "fixtures: %v", err)
		return
	}
	content, err := src.read(l.o.rootOf(src), fixture.MostBytes)
	l.readings = append(l.readings, reading{source: src, content: content, err: err})
	if err != nil {
		l.wrong(entry.place, "", "fixtures %s: %s", shorten(name), l.unread(src.shown, err))
		return
	}
	// Its own name goes into the world's hash, not the way to it from here.
	f := l.conversed(service, entry, fixture.File{Name: path.Clean(filepath.ToSlash(name)), Content: string(content)})
	l.files[entry], l.shown[f.Name] = f, src.shown
}

// What built-in services begin with where a profile names nothing.
const (
	friendly = "friendly"
	empty    = "empty"
)

// chooses tells whether the profile says itself what its world begins with.
func (b *binder) chooses() bool {
	if b.tree.get("world").str() == empty || len(b.tree.get("data").all()) > 0 {
		return true
	}
	for _, service := range b.tree.get("services").all() {
		if service.item.get("fixtures") != nil {
			return true
		}
	}
	return false
}

// friendlies are the fixtures of the built-in services for a profile that does
// not choose, by service. What is read of a real service stands beside nothing that
// is made up.
func (b *binder) friendlies(p *Profile) map[string]fixture.File {
	all := map[string]fixture.File{}
	if b.chooses() {
		return all
	}
	for _, service := range p.Services {
		if _, own := p.Sources[service]; own || p.Upstreams[service] != nil {
			continue
		}
		if f, ok := fixture.Friendly(service); ok {
			all[service] = f
		}
	}
	return all
}

// begin sets what a run's world begins with.
func (b *binder) begin(p *Profile) {
	chosen := b.friendlies(p)
	p.Start = b.start(p.Clock.Start)
	if b.o.Start == nil && len(chosen) > 0 {
		for _, service := range slices.Sorted(maps.Keys(chosen)) {
			p.Start.Files = append(p.Start.Files, chosen[service])
		}
		p.Start.Seed = new(uint64) // one small company, whatever the run's seed
		p.Start = p.Start.Seal()
	}
	p.Friendly = map[string]string{}
	for service, f := range chosen {
		if slices.ContainsFunc(p.Start.Files, func(other fixture.File) bool { return other.Name == f.Name }) {
			p.Friendly[service] = f.Name
		}
	}
	b.mirrored(p)
}

// start is what a profile says that a run's world begins with.
func (b *binder) start(began time.Time) fixture.Spec {
	if b.o.Start != nil {
		return *b.o.Start
	}
	var s fixture.Spec
	met := map[string]bool{} // a file has records of any services, and each that it is for may name it
	for _, service := range b.tree.get("services").all() {
		for _, entry := range service.item.get("fixtures").entries() {
			f, ok := b.files[entry]
			if which := cmp.Or(b.shown[f.Name], f.Name); ok && !met[which] {
				met[which] = true
				s.Files = append(s.Files, f)
				b.live(entry.place, "fixture "+f.Name, f.Content)
			}
		}
	}
	for _, f := range b.tree.get("data").all() {
		if service, _, _ := strings.Cut(f.name, "."); !b.bound[service] && !b.failed[service] {
			b.wrong(f.place, "add it: services: {"+service+": {}}", "data.%s: this profile does not bind %s", f.name, service)
		}
		if f.item.sound() {
			s.Shapes = append(s.Shapes, b.shape(f.name, f.item))
		}
	}
	if seed := b.tree.get("data_seed"); seed.ok() {
		n := seed.count()
		s.Seed = &n
	}
	if s.Empty() {
		return s
	}
	if b.errors == 0 {
		b.try(s, began)
	}
	return s.Seal()
}

func (b *binder) shape(collection string, it *item) fixture.Shape {
	s := fixture.Shape{
		Collection: collection, Count: int(it.get("count").count()), Per: it.get("per").str(), //nolint:gosec // bounded
		Duplicates: scalar[float64](it.get("duplicates")), Unicode: scalar[float64](it.get("unicode")),
		Has: it.get("has").strings(), Numbers: spans[int64](b, it, "numbers"), Texts: map[string][2]int64{}, Parts: map[string]fixture.Part{},
		Missing: map[string]float64{}, Refer: map[string]string{}, Set: map[string][]fixture.Choice{},
	}
	for _, f := range it.get("missing").all() {
		s.Missing[f.name] = scalar[float64](f.item)
	}
	for _, f := range it.get("refer").all() {
		s.Refer[f.name] = f.item.str()
	}
	for _, f := range it.get("set").all() {
		s.Set[f.name] = b.choices(f)
	}
	for name, span := range spans[uint64](b, it, "texts") {
		s.Texts[name] = [2]int64{int64(span[0]), int64(span[1])} //nolint:gosec // bounded
	}
	for name, span := range spans[float64](b, it, "parts") {
		s.Parts[name] = span
	}
	if each := it.get("each"); each.ok() {
		span := pairOf[uint64](b, "each", each)
		s.Each = [2]int64{int64(span[0]), int64(span[1])} //nolint:gosec // bounded
	}
	if days := it.get("created"); days.ok() {
		b.days(&s, days)
	}
	return s
}

func (b *binder) days(s *fixture.Shape, days *item) {
	if len(days.list) != 2 || days.list[1].time().Before(days.list[0].time()) {
		b.wrong(days.place, example(days.key), "created: write the first and the last day")
		return
	}
	for i, d := range days.list {
		s.Created[i] = d.time().Format(time.DateOnly)
		if y := d.time().Year(); y < 1970 || y > 2261 {
			b.wrong(d.place, example(days.key), "created: %s is not from 1970 to 2261, which a run's clock knows", s.Created[i])
		}
	}
}

// spans reads the least and the most of fields.
func spans[T int64 | uint64 | float64](b *binder, it *item, name string) map[string][2]T {
	all := map[string][2]T{}
	for _, f := range it.get(name).all() {
		all[f.name] = pairOf[T](b, name+"."+f.name, f.item)
	}
	return all
}

func pairOf[T int64 | uint64 | float64](b *binder, path string, it *item) (pair [2]T) {
	if len(it.list) == 2 {
		pair = [2]T{scalar[T](it.list[0]), scalar[T](it.list[1])}
	}
	if len(it.list) != 2 || pair[0] > pair[1] {
		b.wrong(it.place, "such as "+it.key.example, "%s: write the least and the most", path)
	}
	return pair
}

// choices reads what a field may be.
func (b *binder) choices(f field) []fixture.Choice {
	var all []fixture.Choice
	for _, one := range f.item.list {
		all = append(all, fixture.Choice{Value: one.source})
	}
	sum := 0.0
	for _, one := range f.item.fields {
		c := fixture.Choice{Value: one.name, Share: scalar[float64](one.item)}
		if sum += c.Share; c.Share > 0 {
			all = append(all, c)
		}
	}
	switch {
	case sum > 1+1e-9:
		b.wrong(f.place, "what is left of 100% has none", "set.%s: the shares come to %.4g%%", f.name, sum*100)
	case len(all) == 0:
		b.wrong(f.place, example(f.item.key), "set.%s has no value", f.name)
	}
	return all
}

// mostTried bounds the records of a shape that are made on trial.
const mostTried = 5

// try builds the world once, with a few records of each shape, so that what the
// contract does not allow is told when the profile is read.
func (b *binder) try(s fixture.Spec, began time.Time) {
	trial := fixture.Spec{Files: s.Files, Shapes: slices.Clone(s.Shapes)}
	for i := range trial.Shapes {
		each := &trial.Shapes[i].Each
		trial.Shapes[i].Count = min(trial.Shapes[i].Count, mostTried)
		each[0], each[1] = min(each[0], mostTried), min(each[1], mostTried)
	}
	if began.IsZero() {
		began = b.o.Wall.Now()
	}
	var made fixture.Result
	base, err := b.catalogue.World()
	if err == nil {
		made, err = fixture.Make(base, b.catalogue, trial, chance.Seed(0), began)
	}
	for _, m := range made.Shapes {
		if m.Made == 0 && m.Asked > 0 {
			b.warn(b.placeOf(&fixture.Problem{File: "data", Pointer: "/" + m.Collection}), "see parity fixtures lint", "data.%s: of %d that were tried none could be made: %s", m.Collection, m.Asked, m.Refused)
		}
	}
	for _, m := range made.Mirrors {
		b.lacking(m)
	}
	found := fixture.Problems(err)
	if err != nil && len(found) == 0 {
		b.wrong(b.tree.place, "", "fixtures: %v", err)
	}
	for _, p := range found {
		at := p.Pointer
		if p.File == "data" {
			at = "data" + strings.ReplaceAll(at, "/", ".")
		}
		b.wrong(b.placeOf(p), "", "%s", strings.TrimPrefix(at+": "+p.Message, ": "))
	}
}

// placeOf finds where a problem stands: in its own file, or in data:.
func (b *binder) placeOf(p *fixture.Problem) place {
	if shown := b.shown[p.File]; shown != "" {
		return place{file: shown, line: p.Line, col: p.Column}
	}
	at := b.tree.place
	it := b.tree.get("data")
	for _, name := range strings.Split(strings.TrimPrefix(p.Pointer, "/"), "/") {
		for _, f := range it.all() {
			if f.name == name {
				at, it = f.place, f.item
				break
			}
		}
	}
	return at
}

// all gives the fields of a map that is in shape.
func (i *item) all() []field {
	if !i.ok() {
		return nil
	}
	return i.fields
}

// entries gives the items of a list that is in shape.
func (i *item) entries() []*item {
	if !i.ok() {
		return nil
	}
	return i.list
}
