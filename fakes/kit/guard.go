package kit

// A guard finds what a call is about, or refuses the call: no such record, no
// leave to touch it, archived, a version too old. With and WithTwo put one
// before a handler where the routes are declared, so that the table shows what
// holds before a handler begins. C is a service's call, A its answer, and R its
// refusal.

// With gives a handler what its guard finds. A call that the guard refuses
// never reaches the handler.
func With[C, T, A, R any](guard func(C) (T, *R), act func(C, T) (A, *R)) func(C) (A, *R) {
	return func(c C) (none A, refused *R) {
		found, refused := guard(c)
		if refused != nil {
			return none, refused
		}
		return act(c, found)
	}
}

// WithTwo is With for a guard that finds two things, such as a record and what
// it stands in.
func WithTwo[C, T, U, A, R any](guard func(C) (T, U, *R), act func(C, T, U) (A, *R)) func(C) (A, *R) {
	return func(c C) (none A, refused *R) {
		found, within, refused := guard(c)
		if refused != nil {
			return none, refused
		}
		return act(c, found, within)
	}
}
