package pseudonym

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// name gives the pseudonym of what somebody is called, word by word: titles, and
// words such as Support, stay. A name of such words alone names nobody.
func (b *Book) name(text string) string {
	return eachWord(text, b.word, func(digits string) string { return digits })
}

// login gives the pseudonym of what somebody is called in a service.
func (b *Book) login(text string) string {
	if b.things[fold(text)] {
		return text
	}
	return eachWord(text, b.word, b.number)
}

// address gives the pseudonym of a line of an address, or of a postal code: words
// such as Street stay, and numbers are others.
func (b *Book) address(text string) string {
	return eachWord(text, b.word, b.number)
}

// email gives the pseudonym of an address of mail. Those of one domain stay of one,
// and words such as support stay where mail is delivered.
func (b *Book) email(text string) string {
	at := strings.LastIndexByte(text, '@')
	if at < 0 {
		return b.login(text)
	}
	local := eachWord(text[:at], func(word string) string { return strings.ToLower(b.word(word)) }, b.number)
	return local + "@" + b.domain(text[at+1:])
}

// domain gives the pseudonym of a domain, which nobody can have (RFC 2606).
func (b *Book) domain(text string) string {
	const use = "domain "
	folded := fold(text)
	is, ok := b.words[use+folded]
	for try := 0; !ok && (is == "" || b.taken[is]); try++ {
		is = b.sounds(use+folded, try)
	}
	b.words[use+folded], b.taken[is] = is, true
	return is + ".example"
}

// A name is what somebody is called, as its words.
type name struct{ words []string }

// called has a name be known in texts: as it is, with its words in the other order,
// and in one; and its words, where people write.
func (b *Book) called(text string) {
	const shortest, longest = 3, 5
	words := wordsOf(text)
	if len(words) == 0 || len(words) > longest {
		if b.name(text) != text {
			b.exact.add(text, b.name(text), "name")
		}
		return
	}
	for _, word := range words {
		if utf8.RuneCountInString(word) >= shortest && !ordinary(word) && !b.known[word] {
			b.alone[word] = true
		}
	}
	if len(words) < 2 {
		return
	}
	b.names[words[0]] = append(b.names[words[0]], name{words})
	last := len(words) - 1
	other := append([]string{words[last]}, words[:last]...)
	b.names[other[0]] = append(b.names[other[0]], name{other})
}

// namesIn finds what somebody is called in a text.
func (b *Book) namesIn(text string) (found []span) {
	prose := strings.ContainsAny(text, " \n")
	for at := 0; at < len(text); {
		n := runOf(text[at:], letter)
		if n == 0 {
			_, n = utf8.DecodeRuneInString(text[at:])
			at += n
			continue
		}
		if to := b.nameAt(text, at); to > at {
			found = append(found, span{at, to, eachWord(text[at:to], b.wordOrRun, same)})
			at = to
			continue
		}
		word := text[at : at+n]
		if prose && b.alone[fold(word)] && (capital(word) || !common(fold(word))) {
			found = append(found, span{at, at + n, b.word(word)})
		}
		at += n
	}
	return found
}

func capital(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first)
}

// nameAt tells up to where a name of several words stands at a place; at: none does.
func (b *Book) nameAt(text string, at int) (to int) {
	run := fold(text[at : at+runOf(text[at:], letter)])
	longest := at
	for n := range len(run) {
		for _, one := range b.names[run[:n+1]] {
			if end := one.stands(text, at); end > longest {
				longest = end
			}
		}
	}
	return longest
}

// stands tells up to where a name stands at a place: its words with up to four signs
// between them; 0: it does not.
func (n name) stands(text string, at int) int {
	for i, word := range n.words {
		if i > 0 {
			at += between(text[at:])
		}
		if len(text)-at < len(word) || !strings.EqualFold(text[at:at+len(word)], word) {
			return 0
		}
		at += len(word)
	}
	if at < len(text) && runOf(text[at:], letter) > 0 {
		return 0
	}
	return at
}

// between is how many bytes at a text's beginning may stand between two words of a
// name.
func between(text string) (n int) {
	for range 4 {
		switch {
		case strings.HasPrefix(text[n:], "%20"), strings.HasPrefix(text[n:], "%2C"), strings.HasPrefix(text[n:], "%2B"), strings.HasPrefix(text[n:], "%2c"):
			n += 3
		case strings.HasPrefix(text[n:], "\u00a0"):
			n += 2
		case n < len(text) && strings.IndexByte(" \t\n\r._,+-\x00", text[n]) >= 0:
			n++
		default:
			return n
		}
	}
	return n
}

// wordOrRun is word, and of one that is the words of a name in one, theirs.
func (b *Book) wordOrRun(text string) string {
	folded := fold(text)
	if _, ok := b.words[folded]; ok || ordinary(folded) {
		return b.word(text)
	}
	for n := range len(folded) {
		for _, one := range b.names[folded[:n+1]] {
			if strings.Join(one.words, "") != folded {
				continue
			}
			var out strings.Builder
			at := 0
			for _, word := range one.words {
				out.WriteString(b.word(text[at : at+len(word)]))
				at += len(word)
			}
			return out.String()
		}
	}
	return b.word(text)
}

// common tells words that are names as well, and are those of people only where they
// are written as names are.
func common(word string) bool { return everyday[word] }

var everyday = func() map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq("will mark may art bill bob jack pat sue rob drew chase grant frank dean young long short small page day king price west hill wood field " +
		"stone brown black white green rich cook case baker best good love power sharp strong swift banks bush church cross gates hall house land lane little major parks pool pope " +
		"porter post reed rivers joy hope faith rose dawn april june august summer grace iris ivy amber ruby pearl daisy lily olive sky storm star max miles dale cliff ray ace bud " +
		"buck chip chuck colt don drake duke earl gene guy hank hunter jay ken lance lee levy mason mike nick norm pierce rex rod ross rusty sandy shelly skip tim tony trip van wade " +
		"ward wolf fox bird fish bishop carter cooper fisher foster gardner miller parker potter taylor turner walker weaver wright new state open closed pending solved from with for") {
		all[word] = true
	}
	return all
}()
