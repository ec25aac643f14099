package fakes

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sort"
	"strings"
	"sync"

	"parity/fakes/world"
)

// Catalogue is a fixed set of services.
type Catalogue struct {
	services map[string]Service
	hosts    map[string]string
	suffixes map[string]string
	world    func() (*world.World, error) // made once
}

// NewCatalogue gathers services. A name or a host that two of them claim is
// an error.
func NewCatalogue(services ...Service) (*Catalogue, error) {
	c := &Catalogue{services: map[string]Service{}, hosts: map[string]string{}, suffixes: map[string]string{}}
	for _, s := range services {
		if _, ok := c.services[s.Name]; ok {
			return nil, fmt.Errorf("service %s is in the catalogue twice", s.Name)
		}
		c.services[s.Name] = s
		for _, host := range s.Hosts {
			table, key := c.hosts, host
			if suffix, ok := strings.CutPrefix(host, "*."); ok {
				table, key = c.suffixes, suffix
			}
			if other, ok := table[key]; ok {
				return nil, fmt.Errorf("host %s belongs to both %s and %s", host, other, s.Name)
			}
			table[key] = s.Name
		}
	}
	c.world = sync.OnceValues(c.newWorld)
	return c, nil
}

// Service finds a service by its name.
func (c *Catalogue) Service(name string) (Service, bool) {
	s, ok := c.services[name]
	return s, ok
}

// ByHost finds the service that answers for a host name (lower case, no port).
func (c *Catalogue) ByHost(host string) (Service, bool) {
	if name, ok := c.hosts[host]; ok {
		return c.services[name], true
	}
	for rest := host; ; {
		i := strings.IndexByte(rest, '.')
		if i < 0 {
			return Service{}, false
		}
		rest = rest[i+1:]
		if name, ok := c.suffixes[rest]; ok {
			return c.services[name], true
		}
	}
}

// Services lists the services by name.
func (c *Catalogue) Services() []Service {
	all := make([]Service, 0, len(c.services))
	for _, name := range c.Names() {
		all = append(all, c.services[name])
	}
	return all
}

// Names lists the services, sorted.
func (c *Catalogue) Names() []string {
	names := make([]string, 0, len(c.services))
	for name := range c.services {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// World gives the world in which all the services live, and their timers: an
// empty one, but for what services have from the start.
// It is made once: a world never changes, so that all runs may begin with the
// same one. Two services with a collection of one name are an error.
func (c *Catalogue) World() (*world.World, error) { return c.world() }

func (c *Catalogue) newWorld() (*world.World, error) {
	w, err := world.New(c.Collections()...)
	if err != nil {
		return nil, err
	}
	tx := w.Begin()
	for _, name := range c.Names() {
		if begin := c.services[name].Begin; begin != nil {
			if err := begin(tx); err != nil {
				return nil, err
			}
		}
	}
	return tx.Commit(), nil
}

// Collections lists all that a world declares: what the services keep, their
// timers, what waits to be delivered, and what was sent.
func (c *Catalogue) Collections() []world.Collection {
	all := shared()
	for _, name := range c.Names() {
		all = append(all, c.services[name].Collections...)
	}
	return all
}

// Hash is one digest over all contracts: the hex SHA-256 of the services' names,
// their contracts' hashes, and what else they were made of. Runs under
// different ones met different services.
func (c *Catalogue) Hash() string {
	h := sha256.New()
	for _, name := range c.Names() {
		hash := ""
		if contract := c.services[name].Contract; contract != nil {
			hash = contract.Hash
		}
		fmt.Fprintf(h, "%q %q", name, hash) // a hash never fails
		if made := c.services[name].Hash; made != "" {
			fmt.Fprintf(h, " %q", made)
		}
		fmt.Fprintln(h)
	}
	return hex.EncodeToString(h.Sum(nil))
}
