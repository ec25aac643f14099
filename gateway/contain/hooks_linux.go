package contain

// What is in this file stands in until the probes are there, in a file of their own.

// probe answers what Box.Ask was given. It runs in a process of this binary that
// was started where, and as, the agent is: confined, with its environment and in
// its folder.
func probe(ask []byte) (answer []byte, err error) { return ask, nil }
