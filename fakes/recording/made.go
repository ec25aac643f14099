package recording

// Made tells whether a text, the value of a field of that name, looks as if a
// service had made it up: an id, a key, a cursor.
func Made(name, text string) bool { return made(name, text) }

// Instant tells whether a text is a time.
func Instant(text string) bool { return instant(text) }

// When tells whether a number counts seconds or milliseconds to a time.
func When(n float64) bool { return when(n) }

// Passing tells whether a field of that name belongs to the one exchange alone,
// such as the id of a request.
func Passing(name string) bool { return passingField(name) }

// Forms are the ways in which an id is written: a UUID with dashes and without.
func Forms(id string) []string {
	if dashed, plain, ok := bothForms(id); ok {
		return []string{dashed, plain}
	}
	return []string{id}
}
