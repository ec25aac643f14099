package faults

//go:generate go test -run ^TestReadmeHasTheCatalogue$ . -update

// Catalogue lists every fault there is, one line each.
func Catalogue() []*Fault {
	return []*Fault{
		ambiguousSuccess(),
		apiError(),
		cascade(),
		clockSkew(),
		connectRefused(),
		cursorExpired(),
		deprecation(),
		duplicateEffect(),
		htmlPage(),
		largeReply(),
		latency(),
		malformedBody(),
		misleadingRefusal(),
		movingPage(),
		outage(),
		partialPage(),
		partialResult(),
		quota(),
		rateLimit(),
		redirect(),
		schemaDrift(),
		silentNoOp(),
		slowBody(),
		staleCache(),
		staleRead(),
		streamCut(),
		timeout(),
		truncatedBody(),
		webhookDisorder(),
		wrongValue(),
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
