package contain

import "slices"

// planned adds to the options what only this process can find out, before it starts
// the first one inside: the home folder, what is covered without being named, and
// what programs outside listen at.
func (o Options) planned() Options {
	f := &o.Files
	named := resolvedAll(append(slices.Clone(f.Write), f.Show...))
	f.Show, f.Hide = slices.Clone(f.Show), append(slices.Clone(f.Hide), outsideSockets("/proc")...)
	if o.Level != Network {
		homes := homes()
		f.Hide = append(f.Hide, secrets(homes)...)
		for _, home := range homes {
			if aboveOf(resolved(home), resolvedAll(f.Write)) == "" {
				f.Show = append(f.Show, home)
				named = append(named, resolved(home))
			}
		}
	}
	f.Hide = append(f.Hide, socketsBelow(named)...)
	return o
}

func resolvedAll(paths []string) (found []string) {
	for _, path := range paths {
		found = append(found, resolved(path))
	}
	return found
}
