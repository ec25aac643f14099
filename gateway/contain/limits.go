package contain

import "fmt"

// problems are what cannot be of the limits here.
func (l Limits) problems() (found []error) {
	for _, limit := range []struct {
		key   string
		value int64
	}{
		{"memory", l.Memory},
		{"file_size", l.FileSize},
		{"processes", int64(l.Processes)},
		{"open_files", int64(l.OpenFiles)},
		{"time", int64(l.Time)},
	} {
		if limit.value < 0 {
			found = append(found, fmt.Errorf("limits: %s: is below 0: leave it out for none", limit.key))
		}
	}
	return append(found, l.beyond()...)
}
