package profiles

import (
	"regexp"
	"strings"
	"time"

	"parity/fakes/chance"
	"parity/fakes/fixture"
)

var (
	collectionForm = regexp.MustCompile(`^[a-z0-9-]{1,64}\.[a-z0-9_-]{1,64}$`)
	fieldForm      = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)
)

func dataKey() key {
	span := func(example string) *key {
		return &key{kind: list, some: true, of: &key{kind: whole, example: "10"}, example: example}
	}
	fields := func(name string, of *key, doc string) key {
		return key{name: name, kind: table, names: fieldForm, of: of, doc: doc}
	}
	return key{name: "data", kind: table, names: collectionForm, doc: "Records that are generated before the run begins, by collection, in this order: their shape before their number.",
		of: &key{kind: object, unit: true, doc: "How the records of one collection look.", keys: []key{
			{name: "count", kind: whole, must: true, least: 1, most: fixture.MostRecords, doc: "How many there are.", example: "40"},
			{name: "duplicates", kind: share, doc: "How many are like an earlier one, but for their id.", example: "10%"},
			fields("missing", &key{kind: share, example: "8%"}, "By field, how many have none."),
			{name: "created", kind: list, of: &key{kind: day, example: "2009-01-01"}, doc: "The first and the last day on which they were made; by default the year before the run.", example: "[2009-01-01, 2026-02-28]"},
			fields("numbers", span("[50, 500000]"), "By field, the least and the most that it is."),
			fields("texts", span("[0, 2000]"), "By field, the fewest and the most characters that it has."),
			{name: "unicode", kind: share, doc: "How many of the texts are not ASCII.", example: "20%"},
			fields("refer", &key{kind: text, example: "stripe.customers"}, "By field, the collection whose records it points to."),
			fields("set", &key{kind: oneOrMany, some: true, of: &key{kind: text, example: "usd"}}, "By field, what it is, or may be."),
		}}}
}

// fixtures reads the fixture files that a profile names, so that they are
// watched with it.
func (l *loader) fixtures(flat *item) {
	l.files = map[*item]fixture.File{}
	if l.o.Start != nil {
		return // it has been read
	}
	for _, service := range flat.get("services").all() {
		for _, entry := range service.item.get("fixtures").entries() {
			l.fixture(service.name, entry)
		}
	}
}

func (l *loader) fixture(service string, entry *item) {
	if !entry.ok() {
		return
	}
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
	src, err := l.o.extended(pathLike(name), from.source, l.root)
	if err != nil {
		l.wrong(entry.place, "", "fixtures: %v", err)
		return
	}
	content, err := src.read(l.root)
	l.readings = append(l.readings, reading{src, content, err})
	if err != nil {
		l.wrong(entry.place, "", "fixtures %s: %s", shorten(name), l.unread(src.shown, err))
		return
	}
	l.files[entry] = fixture.File{Name: name, Content: string(content)}
}

// pathLike makes sure that a name is taken for a path.
func pathLike(name string) string {
	if isPath(name) {
		return name
	}
	return "./" + name
}

// start is what a run's world begins with.
func (b *binder) start() fixture.Spec {
	if b.o.Start != nil {
		return *b.o.Start
	}
	var s fixture.Spec
	for _, service := range b.tree.get("services").all() {
		for _, entry := range service.item.get("fixtures").entries() {
			if f, ok := b.files[entry]; ok {
				s.Files = append(s.Files, f)
			}
		}
	}
	for _, f := range b.tree.get("data").all() {
		if f.item.sound() {
			s.Shapes = append(s.Shapes, b.shape(f.name, f.item))
		}
	}
	if b.errors == 0 && !s.Empty() {
		b.try(s)
	}
	return s
}

func (b *binder) shape(collection string, it *item) fixture.Shape {
	s := fixture.Shape{
		Collection: collection, Count: int(it.get("count").count()), Duplicates: scalar[float64](it.get("duplicates")), //nolint:gosec // bounded
		Unicode: scalar[float64](it.get("unicode")), Missing: map[string]float64{}, Numbers: b.spans(it.get("numbers")), Texts: b.spans(it.get("texts")),
		Refer: map[string]string{}, Set: map[string][]string{},
	}
	for _, f := range it.get("missing").all() {
		s.Missing[f.name] = scalar[float64](f.item)
	}
	for _, f := range it.get("refer").all() {
		s.Refer[f.name] = f.item.str()
	}
	for _, f := range it.get("set").all() {
		s.Set[f.name] = f.item.strings()
	}
	if days := it.get("created"); days.ok() {
		if len(days.list) != 2 || days.list[1].time().Before(days.list[0].time()) {
			b.wrong(days.place, "such as created: [2009-01-01, 2026-02-28]", "data.%s.created: write the first and the last day", collection)
			return s
		}
		for i, d := range days.list {
			s.Created[i] = d.time().Format(time.DateOnly)
		}
	}
	return s
}

// spans reads the least and the most of fields.
func (b *binder) spans(it *item) map[string][2]int64 {
	all := map[string][2]int64{}
	for _, f := range it.all() {
		if len(f.item.list) != 2 || f.item.list[1].count() < f.item.list[0].count() {
			b.wrong(f.place, "such as "+f.name+": [0, 2000]", "%s: write the least and the most", f.name)
			continue
		}
		all[f.name] = [2]int64{int64(f.item.list[0].count()), int64(f.item.list[1].count())} //nolint:gosec // what people write
	}
	return all
}

// mostTried bounds the records of a shape that are made on trial.
const mostTried = 5

// try builds the world once, with a few records of each shape, so that what the
// contract does not allow is told when the profile is read.
func (b *binder) try(s fixture.Spec) {
	trial := fixture.Spec{Files: s.Files}
	for _, shape := range s.Shapes {
		shape.Count = min(shape.Count, mostTried)
		trial.Shapes = append(trial.Shapes, shape)
	}
	base, err := b.o.Catalogue.World()
	if err == nil {
		_, err = fixture.Build(base, b.o.Catalogue, trial, chance.Seed(0), b.o.Wall.Now())
	}
	if err == nil {
		return
	}
	problems := []error{err}
	if many, ok := err.(interface{ Unwrap() []error }); ok { // errors.Join's own
		problems = many.Unwrap()
	}
	for _, p := range problems {
		b.fixtureWrong(p)
	}
}

func (b *binder) fixtureWrong(err error) {
	at, message := b.tree.place, err.Error()
	if p, ok := err.(*fixture.Problem); ok {
		message = strings.TrimSpace(p.Pointer + ": " + p.Message)
		if p.Line > 0 {
			at = place{file: p.File, line: p.Line, col: p.Column}
		} else if item := b.tree.get("data"); item != nil {
			at = item.place
		}
	}
	b.wrong(at, "", "fixtures: %s", message)
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
