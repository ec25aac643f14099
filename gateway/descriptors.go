package gateway

// mostConns and mostControl are how many connections the data port and the
// control port have at most.
const (
	mostConns   = 8192
	mostControl = 2048
)

// maxConns is how many connections the data port may have, so that an eighth of
// the descriptors of this process, and 64 at least, are left for the control
// port, records, and webhooks.
func maxConns(descriptors uint64) int {
	if descriptors == 0 {
		return mostConns
	}
	return int(min(mostConns, max(16, descriptors-min(keptDescriptors(descriptors), descriptors))))
}

// keptDescriptors are those that the data port leaves.
func keptDescriptors(descriptors uint64) uint64 { return max(64, descriptors/8) }

// maxControl is how many connections the control port may have: half of what the
// data port leaves.
func maxControl(descriptors uint64) int {
	if descriptors == 0 {
		return mostControl
	}
	return int(min(mostControl, keptDescriptors(descriptors)/2))
}
