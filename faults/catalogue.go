package faults

//go:generate go test -run ^TestReadmeHasTheCatalogue$ . -update

// Catalogue lists every fault there is, one line each.
func Catalogue() []*Fault {
	return []*Fault{
		ambiguousSuccess(),
		apiError(),
		cascade(),
		connectRefused(),
		cursorExpired(),
		largeReply(),
		latency(),
		movingPage(),
		outage(),
		partialPage(),
		partialResult(),
		quota(),
		rateLimit(),
		redirect(),
		slowBody(),
		staleCache(),
		staleRead(),
		streamCut(),
		timeout(),
		truncatedBody(),
		webhookDisorder(),
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
