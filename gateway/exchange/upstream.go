package exchange

import (
	"fmt"

	"parity/gateway/live"
	"parity/profiles"
	"parity/specs"
	"parity/specs/class"
)

// upstreams gives the real services of a profile, by name. Where nothing leaves by
// this line they are known by their contracts alone: what is a read is the same.
func (l *Line) upstreams(p *profiles.Profile) (map[string]*live.Service, error) {
	all := make(map[string]*live.Service, len(p.Upstreams))
	for name, u := range p.Upstreams {
		s, ok := p.Catalogue.Service(name)
		if !ok {
			continue
		}
		to := live.About(name, s.Contract)
		to.Said = func(op *specs.Operation) class.Class {
			if p.Authority == nil || p.Authority.Classes[op] == nil {
				return ""
			}
			return p.Authority.Classes[op].Most("")
		}
		to.Hosts = u.Hosts
		if l.sender != nil {
			if err := l.equip(to, p, u); err != nil {
				return nil, fmt.Errorf("services.%s.upstream: %w", name, err)
			}
		}
		all[name] = to
	}
	return all, nil
}

// equip gives a service what it is reached with. Its errors name variables and
// files, and nothing that is in them.
func (l *Line) equip(to *live.Service, p *profiles.Profile, u *profiles.Upstream) (err error) {
	if to.Roots, err = live.Roots(p.From(u.Roots)); err != nil {
		return fmt.Errorf("roots: %w", err)
	}
	from := u.Env
	if u.File != "" {
		from = p.From(u.File)
		to.Key, err = live.FromFile(from)
	} else {
		to.Key, err = live.FromVariable(from, l.getenv)
	}
	if err == nil && to.Key.Of(u.Account) != nil {
		err = fmt.Errorf("what %s has %w: account: %s", from, to.Key.Of(u.Account), u.Account)
	}
	if err != nil {
		return fmt.Errorf("credential: %w", err)
	}
	to.Listed, to.Timeout, to.MaxReply = u.Listed, u.Timeout, u.MaxReply
	return nil
}
