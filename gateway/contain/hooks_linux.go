package contain

// What is in this file stands in until the walls and the probes are there: each of
// them has a file of its own, and takes its function out of here.

// enter builds what the agent sees of the machine's files and sockets. It runs
// once, in PID 1 inside, with every capability there and before anything of the
// agent's is; the network is up, and the listeners are open. /proc is still the
// one from outside. An error of a step is failedAt(step, err), such as
// failedAt("mount /proc", err): what a person is told follows from both.
func enter(Options) error { return nil }

// confine sets what a thread hands on to what it executes: a seccomp filter,
// Landlock. It runs once, last, on the thread of PID 1 from which the agent is
// started; there are no capabilities any more, no_new_privs is set, and the thread
// does nothing else than start processes and trace them up to their first
// instruction (clone, execve, ptrace, prlimit64 and wait4 stay allowed). Nothing
// that is of a whole process may be set here: PID 1 would have it too.
func confine(Options) error { return nil }

// bounds are the limits of the agent's process and of all that it starts. They are
// set before its first instruction.
func bounds(Options) []bound { return nil }

// probe answers what Box.Ask was given. It runs in a process of this binary that
// was started where, and as, the agent is: confined, with its environment and in
// its folder.
func probe(ask []byte) (answer []byte, err error) { return ask, nil }
