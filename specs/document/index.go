package document

// indexed is how many fields an object has before its names are put into a map
// for those who look into it by reference: documents have objects of 100,000
// schemas, each of which is referred to.
const indexed = 64

// An index finds what references lead to without going through all of a
// document for each. It is made as far as it is needed, under the document's
// lock.
type index struct {
	fields  map[*Node]map[string]*Node // of wide objects
	anchors map[*Node]map[string]*Node // by what they are looked for in
	ids     map[string]*Node           // schemas by their $id; nil: not looked for yet
}

// get is Node.Get.
func (x *index) get(n *Node, name string) *Node {
	kids := n.inner()
	if len(kids) < indexed {
		return n.Get(name)
	}
	known, ok := x.fields[n]
	if !ok {
		known = make(map[string]*Node, len(kids))
		for i := range kids {
			known[kids[i].Name] = &kids[i] // the last one counts
		}
		if x.fields == nil {
			x.fields = map[*Node]map[string]*Node{}
		}
		x.fields[n] = known
	}
	return known[name]
}

// anchor finds the schema in n that calls itself by a name.
func (x *index) anchor(n *Node, name string) *Node {
	known, ok := x.anchors[n]
	if !ok {
		known = map[string]*Node{}
		n.anchored(known)
		if x.anchors == nil {
			x.anchors = map[*Node]map[string]*Node{}
		}
		x.anchors[n] = known
	}
	return known[name]
}

// anchored collects the schemas that call themselves by a name, the first of
// each.
func (n *Node) anchored(into map[string]*Node) {
	if n.kind == Object {
		id := n.Get("$id").Text()
		if id == "" || id[0] != '#' {
			id = "#"
		}
		for _, name := range []string{n.Get("$anchor").Text(), n.Get("$dynamicAnchor").Text(), id[1:]} {
			if name != "" && into[name] == nil {
				into[name] = n
			}
		}
	}
	kids := n.inner()
	for i := range kids {
		if kids[i].Len() > 0 {
			kids[i].anchored(into)
		}
	}
}
