//go:build race

package contain

// raceEnabled tells that this binary needs more memory than an agent may take.
const raceEnabled = true
