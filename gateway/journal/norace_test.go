//go:build !race

package journal

// raceEnabled tells that a test costs ten times as much.
const raceEnabled = false
