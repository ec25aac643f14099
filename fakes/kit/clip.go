package kit

// mostEchoed is how many characters of what a client sent are said back to it.
// A name may be as long as a body: said three times, in a message, a parameter
// and the journal, it would cost three bodies.
const mostEchoed = 200

// Clip shortens what a client sent to what is said back of it: 200 characters,
// the last of them an ellipsis where something is missing.
func Clip(text string) string {
	if len(text) <= mostEchoed {
		return text
	}
	cut, n := 0, 0
	for i := range text {
		switch n++; n {
		case mostEchoed:
			cut = i
		case mostEchoed + 1:
			return text[:cut] + "…"
		}
	}
	return text
}
