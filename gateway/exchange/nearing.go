package exchange

import (
	"fmt"
	"log/slog"
	"sync/atomic"
)

// A Nearing is what was told of how near a bound is. Each crossing is told once:
// what goes up and down about one would fill the log with it otherwise.
type Nearing struct{ told atomic.Int64 } // percent that was warned of; 0: none was

// Warnings are the shares of a bound, in percent, at which somebody is warned
// that it is near.
func Warnings() []int64 { return []int64{80, 95} }

// Reached gives the share that was reached just now, in percent, of those to warn
// at; 0: none. What was told is told again only after less than half of the bound
// was used.
func (n *Nearing) Reached(percent int64) int64 {
	told := n.told.Load()
	if told == 0 && percent < Warnings()[0] {
		return 0
	}
	at := told
	if percent < 50 {
		at = 0
	}
	for _, share := range Warnings() {
		if percent >= share && share > at {
			at = share
		}
	}
	if at == told || !n.told.CompareAndSwap(told, at) || at < told {
		return 0
	}
	return at
}

// Warn warns where so many of a bound are used that a share of it is reached.
func (n *Nearing) Warn(log *slog.Logger, what string, used, most int64, then string) {
	if most <= 0 {
		return
	}
	percent := int64(float64(used) / float64(most) * 100)
	if n.Reached(percent) > 0 {
		log.Warn(fmt.Sprintf("%s: %d %% of the bound; at 100 %% %s", what, percent, then), "used", used, "bound", most)
	}
}
