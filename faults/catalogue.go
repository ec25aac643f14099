package faults

import "sync"

//go:generate go test -run ^TestReadmeHasTheCatalogue$ . -update

// Catalogue lists every fault there is, one line each.
func Catalogue() []*Fault {
	return []*Fault{
		ambiguousSuccess(),
		apiError(),
		approvalLost(),
		asyncAccept(),
		cascade(),
		clockSkew(),
		concurrentEdit(),
		connectRefused(),
		cursorExpired(),
		deprecation(),
		duplicateEffect(),
		htmlPage(),
		idempotencyConflict(),
		largeReply(),
		latency(),
		lockLost(),
		malformedBody(),
		misleadingRefusal(),
		movingPage(),
		outage(),
		ownerChanged(),
		partialPage(),
		partialResult(),
		permissionChange(),
		quota(),
		rateLimit(),
		redirect(),
		schemaDrift(),
		sessionExpired(),
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

// CatalogueNames lists the faults by name, in the order of the catalogue.
func CatalogueNames() []string {
	var all []string
	for _, f := range Catalogue() {
		all = append(all, f.Name)
	}
	return all
}

// Lookup finds a fault by its name.
func Lookup(name string) (*Fault, bool) {
	f, ok := byName()[name]
	return f, ok
}

// byName has the catalogue made once: a profile asks for each of its rules.
var byName = sync.OnceValue(func() map[string]*Fault {
	all := map[string]*Fault{}
	for _, f := range Catalogue() {
		all[f.Name] = f
	}
	return all
})
