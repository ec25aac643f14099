package faults

// Catalogue lists every fault there is, one line each.
func Catalogue() []*Fault {
	return []*Fault{
		ambiguousSuccess(),
		apiError(),
		connectRefused(),
		latency(),
		rateLimit(),
		slowBody(),
		streamCut(),
		timeout(),
		truncatedBody(),
	}
}

// Lookup finds a fault by its name.
func Lookup(name string) (*Fault, bool) {
	for _, f := range Catalogue() {
		if f.Name == name {
			return f, true
		}
	}
	return nil, false
}
