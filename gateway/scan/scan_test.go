package scan_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"parity/gateway/scan"
)

const hush = "hush/it+is=a \"secret\" 42"

// stripeKey has the form of a real one, and is put together here: scanners read
// this file, too.
const stripeKey = "sk_" + "live_51HxQm2eZvKYlo2C8qvUDkRt"

func ExampleScanner_Bytes() {
	s := scan.New([]scan.Secret{{Kind: "the value of DB_PASSWORD", Value: "correct horse"}})
	s.Bytes([]byte(`{"auth":"`+base64.StdEncoding.EncodeToString([]byte("ada:correct horse"))+`"}`), func(f scan.Finding) {
		fmt.Println(f.At, f.Kind, f.As)
	})
	// Output:
	// 15 the value of DB_PASSWORD base64
}

// everyByte writes a text in percents alone.
func everyByte(text string) string {
	var out strings.Builder
	for i := range len(text) {
		fmt.Fprintf(&out, "%%%02x", text[i])
	}
	return out.String()
}

// encodings are ways in which a text may be written, and what they are called.
func encodings(text string) map[string][]string {
	quoted, _ := json.Marshal(text)
	ways := map[string][]string{
		"": {text}, "JSON": {strings.Trim(string(quoted), `"`)},
		"hexadecimal":     {hex.EncodeToString([]byte(text)), strings.ToUpper(hex.EncodeToString([]byte(text)))},
		"percent-encoded": {url.QueryEscape(text), url.PathEscape(text), everyByte(text), strings.ToUpper(everyByte(text))},
	}
	for _, before := range []string{"", ":", "a:", "a: "} {
		ways["base64"] = append(ways["base64"], base64.StdEncoding.EncodeToString([]byte(before+text+":b")), base64.RawURLEncoding.EncodeToString([]byte(before+text)))
	}
	return ways
}

func TestASecretIsFoundInEachEncoding(t *testing.T) {
	t.Parallel()
	for kind, text := range map[string]string{"the value of HUSH": hush, "a live secret key of Stripe": stripeKey} {
		s := scan.New([]scan.Secret{{Kind: "the value of HUSH", Value: hush}, {Kind: "nothing", Value: "short"}})
		for as, ways := range encodings(text) {
			for _, way := range ways {
				for _, around := range []string{"%s", `{"x": "%s"}`, "a=%s&b=2", "\x00\xff%s\x00"} {
					found := 0
					s.Bytes([]byte(fmt.Sprintf(around, way)), func(f scan.Finding) {
						found++
						if f.Kind != kind || f.As != as && way != text {
							t.Errorf("%s is found as %+v", way, f)
						}
					})
					if found == 0 {
						t.Errorf("%s is not found in %q", way, fmt.Sprintf(around, way))
					}
				}
			}
		}
	}
}

func TestWhatIsNoSecretIsNotFound(t *testing.T) {
	t.Parallel()
	s := scan.New([]scan.Secret{{Kind: "hush", Value: hush}, {Kind: "short", Value: "charge"}, {Kind: "empty"}})
	for _, text := range []string{"", "a", "%", "%4", strings.Repeat("ab", 40), "charge", hush[:len(hush)-1], strings.Repeat("%20", 30), strings.Repeat("=", 30), base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("no secret "), 9))} {
		s.Bytes([]byte(text), func(f scan.Finding) { t.Errorf("in %s: %+v", text, f) })
	}
}

// What begins in one stretch of a long file and ends in the next was missed, or
// told twice.
func TestWhereAStreamIsCutNothingIsMissed(t *testing.T) {
	t.Parallel()
	s := scan.New([]scan.Secret{{Kind: "hush", Value: hush}})
	const stretch = 256 << 10
	rapid.Check(t, func(t *rapid.T) {
		as := rapid.SampledFrom([]string{"", "hexadecimal", "percent-encoded"}).Draw(t, "as")
		text := rapid.SampledFrom([]string{hush, stripeKey}).Draw(t, "text")
		way := encodings(text)[as][0]
		at := rapid.IntRange(1, 3).Draw(t, "stretch")*stretch + rapid.IntRange(-40<<10, 40<<10).Draw(t, "at")
		if rapid.Bool().Draw(t, "near") {
			at = stretch + rapid.IntRange(-120, 120).Draw(t, "exactly")
		}
		data := append(bytes.Repeat([]byte(". "), at/2), way...)
		data = append(data, bytes.Repeat([]byte(" ."), 30<<10)...)
		var all []scan.Finding
		size, err := s.Stream(bytes.NewReader(data), func(f scan.Finding) { all = append(all, f) })
		if err != nil || size != int64(len(data)) {
			t.Fatalf("%d bytes of %d, %v", size, len(data), err)
		}
		if len(all) != 1 || all[0].At != int64(at/2*2) {
			t.Fatalf("%v, of one at %d", all, at/2*2)
		}
	})
}

func TestAStreamThatBreaksOffSaysSo(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	if _, err := scan.New(nil).Stream(iotest.ErrReader(broken), func(scan.Finding) {}); !errors.Is(err, broken) {
		t.Error(err)
	}
}

func FuzzBytes(f *testing.F) {
	s := scan.New([]scan.Secret{{Kind: "hush", Value: hush}})
	for _, ways := range encodings(stripeKey) {
		for _, way := range ways {
			f.Add([]byte(way))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s.Bytes(data, func(f scan.Finding) {
			if f.At < 0 || f.At >= int64(len(data)) {
				t.Errorf("at %d of %d", f.At, len(data))
			}
		})
	})
}

func BenchmarkStream(b *testing.B) {
	s := scan.New([]scan.Secret{{Kind: "hush", Value: hush}})
	data := []byte(strings.Repeat(`{"id":"ch_3MmlLrLkdIwHu7ix0snN0B15","object":"charge","url":"https://pay.example/receipts/payment/CAcaFwoVYWNjdF8xTTJKVGtMa2RJd0h1N2l4"},`, 8000))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := s.Stream(bytes.NewReader(data), func(f scan.Finding) { b.Fatal(f) }); err != nil {
			b.Fatal(err)
		}
	}
}
