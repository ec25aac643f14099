package main

import "slices"

// A standing is what came of one lane, as ratios to the yardstick of its contest.
type standing struct {
	Peer           string
	Ratio          float64 // of throughput: the median of the rounds
	Low, High      float64 // its quartiles
	CPU            float64 // server time a call, as a multiple: the median too
	perCall        float64 // microseconds of it
	perSecond      float64
	bytes          int // of a reply's body
	failed         int
	first          string
	objects, alloc float64 // of the heap, a call; of Parity
}

// standings holds each lane against the first, round by round: what else the
// machine does falls on the two alike.
func standings(lanes []*lane) []standing {
	if len(lanes) == 0 {
		return nil
	}
	var all []standing
	for _, l := range lanes {
		sum := total(l.rounds)
		s := standing{Peer: l.peer, failed: sum.failed, first: sum.first}
		var ratios, costs, multiples []float64
		for i, r := range l.rounds {
			yard := lanes[0].rounds[i]
			if own, other := speed(r), speed(yard); other > 0 {
				ratios = append(ratios, own/other)
			}
			if own, other := cost(r), cost(yard); own > 0 && other > 0 {
				costs, multiples = append(costs, own), append(multiples, own/other)
			}
		}
		s.Low, s.Ratio, s.High = quantile(ratios, 0.25), quantile(ratios, 0.5), quantile(ratios, 0.75)
		if sum.calls > 0 {
			s.perSecond, s.bytes = speed(sum), sum.bytes/sum.calls
			s.objects, s.alloc = l.heap.objects/float64(sum.calls), l.heap.bytes/float64(sum.calls)
		}
		s.CPU, s.perCall = quantile(multiples, 0.5), quantile(costs, 0.5)
		all = append(all, s)
	}
	return all
}

func total(rounds []round) round {
	var sum round
	for _, r := range rounds {
		sum.add(r.tally)
		sum.took += r.took
		sum.cpu += r.cpu
	}
	return sum
}

// speed is good calls a second.
func speed(r round) float64 {
	if r.took <= 0 {
		return 0
	}
	return float64(r.calls-r.failed) / r.took.Seconds()
}

// cost is the server's processor time a call, in microseconds.
func cost(r round) float64 {
	if r.calls == 0 {
		return 0
	}
	return float64(r.cpu.Nanoseconds()) / 1000 / float64(r.calls)
}

// quantile is the value at a share of the sorted ones, between two where it
// falls between them; 0 of none.
func quantile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	at := share * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}
