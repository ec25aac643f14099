package kept

import (
	"runtime/debug"

	"parity/faults/trail"
	"parity/profiles"
)

// Version is Parity's own, which runs are stamped with.
const Version = "0.1.0"

// Build names this Parity: its version, and the revision that it was built
// from where the build knows it.
func Build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Version
	}
	found := map[string]string{}
	for _, s := range info.Settings {
		found[s.Key] = s.Value
	}
	name := Version
	if rev := found["vcs.revision"]; rev != "" {
		name += "+" + rev[:min(12, len(rev))]
		if found["vcs.modified"] == "true" {
			name += "-modified"
		}
	}
	return name
}

// StampOf is the stamp of runs of a profile.
func StampOf(p *profiles.Profile) trail.Stamp {
	s := trail.Stamp{Profile: p.Revision, Contracts: p.Catalogue.Hash(), Fixtures: p.Start.Hash(), Parity: Build()}
	if p.Authority != nil {
		s.Policy = p.Authority.Digest
	}
	return s
}
