package gateway

import "testing"

func TestDescriptorsAreKeptForTheControlPort(t *testing.T) {
	t.Parallel()
	for limit, want := range map[uint64]int{0: 8192, 20: 16, 256: 192, 1024: 896, 4096: 3584, 1 << 20: 8192, ^uint64(0): 8192} {
		if got := maxConns(limit); got != want {
			t.Errorf("of %d descriptors %d are for connections, want %d", limit, got, want)
		}
	}
}
