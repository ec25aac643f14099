package fakes

import (
	"fmt"
	"sort"
	"strings"

	"parity/fakes/world"
)

// Catalogue is a fixed set of services.
type Catalogue struct {
	services map[string]Service
	hosts    map[string]string
	suffixes map[string]string
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

// Names lists the services, sorted.
func (c *Catalogue) Names() []string {
	names := make([]string, 0, len(c.services))
	for name := range c.services {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// World makes the empty world in which all the services live.
func (c *Catalogue) World() (*world.World, error) {
	var all []world.Collection
	for _, name := range c.Names() {
		all = append(all, c.services[name].Collections...)
	}
	return world.New(all...)
}
