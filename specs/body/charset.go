package body

import (
	"bytes"
	"mime"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// ToUTF8 gives text in UTF-8 where the content type's charset says that it is
// in another one. UTF-8 comes back as it is, right or wrong, a byte order mark
// included: that is the decoder's to judge.
func ToUTF8(data []byte, contentType string) ([]byte, *Problem) {
	if !strings.Contains(contentType, ";") {
		return data, nil
	}
	_, parameters, err := mime.ParseMediaType(contentType)
	if err != nil && strings.Contains(strings.ToLower(contentType), "charset") {
		return nil, &Problem{Rule: RuleContentType, Message: "the Content-Type header cannot be read: " + err.Error(), Got: shorten(contentType)}
	}
	charset := strings.ToLower(parameters["charset"])
	switch charset {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		return data, nil
	}
	known := charsetNamed(charset)
	if known == nil {
		return nil, &Problem{Rule: RuleContentType, Message: "is in a charset that is not known here; send UTF-8", Want: "utf-8", Got: shorten(charset)}
	}
	wide := strings.HasPrefix(charset, "utf-16") && len(data)%2 != 0 || strings.HasPrefix(charset, "utf-32") && len(data)%4 != 0
	decoded, err := known.NewDecoder().Bytes(data)
	// What cannot be read becomes U+FFFD, which only Unicode's own have too.
	if err != nil || wide || !strings.HasPrefix(charset, "utf-") && bytes.ContainsRune(decoded, '\uFFFD') {
		return nil, &Problem{Rule: RuleSyntax, Message: "is not " + charset + ", which its charset says", Got: shorten(charset)}
	}
	return decoded, nil
}

func charsetNamed(name string) encoding.Encoding {
	switch name {
	case "iso-8859-1", "latin1", "iso_8859-1":
		return charmap.ISO8859_1 // the web takes it for windows-1252
	case "utf-16": // RFC 2781: without a mark, big end first
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case "utf-32":
		return utf32.UTF32(utf32.BigEndian, utf32.UseBOM)
	case "utf-32le":
		return utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)
	case "utf-32be":
		return utf32.UTF32(utf32.BigEndian, utf32.UseBOM)
	}
	known, err := htmlindex.Get(name)
	if err != nil || known == encoding.Replacement {
		return nil
	}
	return known
}
