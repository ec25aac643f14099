package pseudonym

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sounds that the words of pseudonyms are made of: none has a digit or a sign, so
// that they stand where names, addresses of mail and hosts do.
var (
	onsets = strings.Fields("b br d dr f fl g gr h j k kl l m n p pl r s sk st t tr v w z")
	vowels = strings.Fields("a e i o u ae ei ia io")
	codas  = strings.Fields("n l r s k t m v")
)

// word gives the pseudonym of one word, written as that is: Grace, GRACE, grace.
func (b *Book) word(text string) string {
	folded := fold(text)
	if folded == "" || ordinary(folded) {
		return text
	}
	if len(folded) == 1 && folded[0] >= 'a' && folded[0] <= 'z' {
		return written(text, string(b.singles[folded[0]-'a']))
	}
	is, ok := b.words[folded]
	if !ok {
		for try := 0; is == "" || b.taken[is] || strings.Contains(is, folded); try++ {
			is = b.sounds(folded, try)
		}
		b.words[folded], b.taken[is] = is, true
	}
	return written(text, is)
}

// sounds make a word up. Those of one that is tried again are longer.
func (b *Book) sounds(word string, try int) string {
	sum := b.sum("word", word, strconv.Itoa(try))
	var out strings.Builder
	syllables := 2 + int(sum[31])%2 + try/8
	for i := range syllables {
		out.WriteString(onsets[int(sum[(3*i)%30])%len(onsets)])
		out.WriteString(vowels[int(sum[(3*i+1)%30])%len(vowels)])
	}
	out.WriteString(codas[int(sum[30])%len(codas)])
	return out.String()
}

// shuffled are the letters, each in the place of another one.
func (b *Book) shuffled() []byte {
	letters := []byte("abcdefghijklmnopqrstuvwxyz")
	slices.SortFunc(letters, func(x, y byte) int {
		if b.draw("letter", string(x)) < b.draw("letter", string(y)) {
			return -1
		}
		return 1
	})
	// Each stands for the next one in a circle: none for itself.
	next := make([]byte, len(letters))
	for i, c := range letters {
		next[c-'a'] = letters[(i+1)%len(letters)]
	}
	return next
}

// written writes a word as another one is written.
func written(as, word string) string {
	first, size := utf8.DecodeRuneInString(as)
	switch {
	case size < len(as) && strings.ToUpper(as) == as && strings.ToLower(as) != as:
		return strings.ToUpper(word)
	case unicode.IsUpper(first):
		return strings.ToUpper(word[:1]) + word[1:]
	}
	return word
}

// eachWord puts each run of letters, and each of digits, through a function.
func eachWord(text string, letters, digits func(string) string) string {
	var out strings.Builder
	for len(text) > 0 {
		n := runOf(text, letter)
		if n > 0 {
			out.WriteString(letters(text[:n]))
		} else if n = runOf(text, digit); n > 0 {
			out.WriteString(digits(text[:n]))
		} else {
			_, n = utf8.DecodeRuneInString(text)
			out.WriteString(text[:n])
		}
		text = text[n:]
	}
	return out.String()
}

func wordsOf(text string) (all []string) {
	eachWord(text, func(w string) string { all = append(all, fold(w)); return w }, same)
	return all
}

func same(text string) string { return text }

// runOf is how many bytes at the beginning of a text are of one class.
func runOf(text string, is func(rune) bool) int {
	for i, c := range text {
		if !is(c) {
			return i
		}
	}
	return len(text)
}

// letter tells what words are made of.
func letter(c rune) bool { return unicode.IsLetter(c) || unicode.IsMark(c) }

func digit(c rune) bool { return c >= '0' && c <= '9' }

// ordinary tells words that name nobody: of roles, of companies, of streets, and
// those that stand between the parts of names.
func ordinary(word string) bool { return plainWords[word] }

var plainWords = func() map[string]bool {
	all := map[string]bool{}
	for _, list := range []string{
		"support team sales service services inc ltd llc gmbh ag corp co company group department dept admin administrator customer customers test system bot help desk helpdesk " +
			"info office billing account accounts user users agent guest unknown anonymous default contact noreply reply no donotreply mailer daemon postmaster webmaster hello hi " +
			"news newsletter marketing security notifications notification operations ops hr jobs legal press orders order shop store dev api www mail",
		"de van von der den del di da do dos das el al bin ibn la le les of and the und y e dr mr mrs ms miss prof sir jr sr ii iii iv phd md",
		"street st avenue ave road rd lane ln drive dr boulevard blvd court ct place pl square sq way suite ste apt apartment floor fl unit box po north south east west " +
			"strasse straße str platz weg rue via calle plaza building bldg highway hwy",
	} {
		for word := range strings.FieldsSeq(list) {
			all[word] = true
		}
	}
	return all
}()
