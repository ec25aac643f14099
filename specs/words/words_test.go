package words_test

import (
	"fmt"
	"strings"
	"testing"

	"parity/specs/words"
)

func Example() {
	fmt.Println(words.Count(1, "call"), words.Count(2, "reply"), words.Count(3, "way of thinking"))
	fmt.Println(words.Singular("entries"), words.Singular("charges"))
	fmt.Println(words.A("issue"), words.A("user"), words.A("charge"))
	fmt.Println(words.Or([]string{"text"})+",", words.Or([]string{"text", "json", "yaml"}))
	// Output:
	// 1 call 2 replies 3 ways of thinking
	// entry charge
	// an issue a user a charge
	// text, text, json or yaml
}

// Two long texts were told beside each other, cut before the only part in which
// they differ.
func TestTwoTextsShowInWhatTheyDiffer(t *testing.T) {
	t.Parallel()
	const begin = "Hi Alan, We have booked a call for you on Monday 30 November at "
	for _, c := range []struct{ name, a, b, wantA, wantB string }{
		{"behind the cut", begin + "09:00 UTC; you will get an invitation by mail.", begin + "09:30 UTC; you will get an invitation by mail.", "…on Monday 30 November at 09:00 UTC; you will get an invita…", "…on Monday 30 November at 09:30 UTC; you will get an invita…"},
		{"before it", "Hi Alan, " + begin, "Hi Ada, " + begin, "Hi Alan, " + begin, "Hi Ada, " + begin},
		{"short", "one", "two", "one", "two"},
		{"the same", begin, begin, begin, begin},
		{"more of the same", begin, begin + "09:00", "…you on Monday 30 November at ", "…you on Monday 30 November at 09:00"},
		{"one long word", strings.Repeat("ä", 80) + "b", strings.Repeat("ä", 80) + "c", "…" + strings.Repeat("ä", 30) + "b", "…" + strings.Repeat("ä", 30) + "c"},
	} {
		if a, b := words.Apart(c.a, c.b, 60); a != c.wantA || b != c.wantB {
			t.Errorf("%s: %q and %q", c.name, a, b)
		}
	}
}
