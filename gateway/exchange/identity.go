package exchange

import (
	"sync"

	"parity/fakes"
	"parity/fakes/chance"
)

// maxIdentities bounds the credentials whose digests are remembered; more are
// digested again for each call.
const maxIdentities = 1024

// identities remembers the digests of credentials, and those that were made for
// the run. They are in memory alone.
type identities struct {
	mu     sync.RWMutex
	known  map[[2]string]string // service and credential → identity
	minted minted
}

// of gives the name that stands for a credential: the same for the same one in
// a run, and of no use outside it.
func (i *identities) of(seed chance.Seed, service fakes.Service, credential string) string {
	key := [2]string{service.Name, credential}
	i.mu.RLock()
	name, ok := i.known[key]
	i.mu.RUnlock()
	if ok {
		return name
	}
	name = fakes.IdentityPrefix(service.Name, service.Fake, credential) + chance.ID(seed.With("identity", service.Name, credential), 8)
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.known == nil {
		i.known = map[[2]string]string{}
	}
	if len(i.known) < maxIdentities {
		i.known[key] = name
	}
	return name
}
