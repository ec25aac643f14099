package gateway

// mostConns is how many connections the data port has at most.
const mostConns = 8192

// maxConns is how many connections the data port may have, so that an eighth of
// the descriptors of this process, and 64 at least, are left for the control
// port, records, and webhooks.
func maxConns(descriptors uint64) int {
	if descriptors == 0 {
		return mostConns
	}
	kept := max(64, descriptors/8)
	return int(min(mostConns, max(16, descriptors-min(kept, descriptors))))
}
