package words_test

import (
	"fmt"

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
