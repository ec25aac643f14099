package body

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/specs/openapi"
)

const numbers = `{"type": "array", "items": {"type": "integer"}}`

func TestQueriesAsClientsWriteThem(t *testing.T) {
	t.Parallel()
	parameters := []openapi.Parameter{
		readParameter(t, `{"name": "ids", "in": "query", "schema": `+numbers+`}`),
		readParameter(t, `{"name": "csv", "in": "query", "explode": false, "allowEmptyValue": true, "schema": `+numbers+`}`),
		readParameter(t, `{"name": "words", "in": "query", "explode": false, "schema": `+listSchema+`}`),
		readParameter(t, `{"name": "bars", "in": "query", "style": "pipeDelimited", "schema": `+numbers+`}`),
		readParameter(t, `{"name": "blanks", "in": "query", "style": "spaceDelimited", "schema": `+numbers+`}`),
		readParameter(t, `{"name": "tags[]", "in": "query", "schema": `+listSchema+`}`),
		readParameter(t, `{"name": "filter", "in": "query", "style": "deepObject", "schema": {"type": "object", "properties": {"n": {"type": "integer"}, "in": `+numbers+`}}}`),
		readParameter(t, `{"name": "colour", "in": "query", "schema": `+colourSchema+`}`),
		readParameter(t, `{"name": "where", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}}`),
		readParameter(t, `{"name": "flag", "in": "query", "schema": {"type": "boolean"}}`),
		readParameter(t, `{"name": "code", "in": "query", "schema": {"type": ["integer", "string"]}}`),
		readParameter(t, `{"name": "created", "in": "query", "style": "deepObject", "schema": {"anyOf": [{"type": "object", "properties": {"gt": {"type": "integer"}}}, {"type": "integer"}]}}`),
		readParameter(t, `{"name": "either", "in": "query", "explode": false, "schema": {"type": ["string", "array"], "items": {"type": "string"}}}`),
	}
	tests := []struct {
		raw  string
		want map[string]any
	}{
		{"ids=1&ids=2", map[string]any{"ids": []any{int64(1), int64(2)}}},
		{"ids=1", map[string]any{"ids": []any{int64(1)}}},
		{"ids[]=1&ids%5B%5D=2", map[string]any{"ids": []any{int64(1), int64(2)}}},
		{"ids[1]=1&ids[0]=2", map[string]any{"ids": []any{int64(2), int64(1)}}},
		{"ids=x", map[string]any{"ids": []any{"x"}}},
		{"ids=1,2", map[string]any{"ids": []any{"1,2"}}},
		{"csv=1,2", map[string]any{"csv": []any{int64(1), int64(2)}}},
		{"csv=1%2C2", map[string]any{"csv": []any{int64(1), int64(2)}}},
		{"csv=1,2&csv=3", map[string]any{"csv": []any{int64(1), int64(2), int64(3)}}},
		{"csv=", map[string]any{"csv": []any{}}},
		{"csv", map[string]any{"csv": []any{}}},
		{"csv[]=4", map[string]any{"csv": []any{int64(4)}}},
		{"words=a%2Cb,c+d", map[string]any{"words": []any{"a,b", "c d"}}},
		{"bars=1|2", map[string]any{"bars": []any{int64(1), int64(2)}}},
		{"bars=1%7C2", map[string]any{"bars": []any{int64(1), int64(2)}}},
		{"blanks=1%202+3", map[string]any{"blanks": []any{int64(1), int64(2), int64(3)}}},
		{"tags[]=a&tags[]=b", map[string]any{"tags[]": []any{"a", "b"}}},
		{"tags%5B%5D=a", map[string]any{"tags[]": []any{"a"}}},
		{"filter[n]=1&filter[in][]=2&filter[in][]=3", map[string]any{"filter": map[string]any{"n": int64(1), "in": []any{int64(2), int64(3)}}}},
		{"R=1&B=2&other=3", map[string]any{"colour": map[string]any{"R": int64(1), "B": int64(2)}, "other": "3"}},
		{"colour[R]=1", map[string]any{"colour": map[string]any{"R": int64(1)}}},
		{"where=%7B%22a%22%3A[1]%7D", map[string]any{"where": map[string]any{"a": []any{int64(1)}}}},
		{"flag=true", map[string]any{"flag": true}},
		{"flag=1", map[string]any{"flag": "1"}},
		{"flag", map[string]any{"flag": ""}},
		{"code=007", map[string]any{"code": "007"}},
		{"code=7", map[string]any{"code": int64(7)}},
		{"created=5", map[string]any{"created": int64(5)}},
		{"created[gt]=5", map[string]any{"created": map[string]any{"gt": int64(5)}}},
		{"either=a", map[string]any{"either": "a"}},
		{"either=a,b", map[string]any{"either": []any{"a", "b"}}},
		{"x=a=b&y[z]=1&y[w]=%5B", map[string]any{"x": "a=b", "y": map[string]any{"z": "1", "w": "["}}},
		{"&&", map[string]any{}},
		{"", nil},
	}
	ps := NewParameters(parameters, Options{})
	for _, test := range tests {
		got, wrong := ps.Query(test.raw)
		if diff := cmp.Diff(test.want, got); wrong != nil || diff != "" {
			t.Errorf("%s: %v %s", test.raw, wrong, diff)
		}
	}
	for raw, want := range map[string]string{
		"ids=%":                                "/ids syntax",
		"words=%zz":                            "/words syntax",
		"words=a,%ff":                          "/words syntax",
		"where={":                              "/where syntax",
		`where={"a":1,"a":2}`:                  "/where/a syntax",
		"a%ff=1":                               "/a� syntax",
		"filter=1&filter[n]=2":                 "/filter syntax",
		"csv=1&csv[]=2":                        "/csv syntax",
		"ids[1000]=1":                          "/ids/1000 size",
		"a" + strings.Repeat("[b]", 16) + "=1": "/a" + strings.Repeat("[b]", 16) + " size",
		strings.Repeat("a=1&", 1001):           " size",
	} {
		_, wrong := ps.Query(raw)
		if wrong == nil || wrong.Pointer+" "+wrong.Rule != want {
			t.Errorf("%.40s is refused with %+v, want %s", raw, wrong, want)
		}
	}
}

func TestListsOnlyWithBracketsWhereAVendorWantsThem(t *testing.T) {
	t.Parallel()
	s := types(t, `{"type": "object", "properties": {"ids": `+numbers+`}}`)
	got, wrong := DecodeForm([]byte("ids=1&ids=2"), s, nil, Options{Brackets: true})
	if diff := cmp.Diff(map[string]any{"ids": "2"}, got); wrong != nil || diff != "" {
		t.Error(wrong, diff)
	}
	got, wrong = DecodeForm([]byte("ids[]=1&ids[]=2"), s, nil, Options{Brackets: true})
	if diff := cmp.Diff(map[string]any{"ids": []any{int64(1), int64(2)}}, got); wrong != nil || diff != "" {
		t.Error(wrong, diff)
	}
}

func TestAPartOfAPathThatIsWrongKeepsItsText(t *testing.T) {
	t.Parallel()
	p := readParameter(t, `{"name": "n", "in": "path", "style": "label", "required": true, "schema": {"type": "number"}}`)
	if got, _, wrong := read(p, "1.5"); wrong == nil || got != "1.5" {
		t.Errorf("without the dot of its style it is %v, %v", got, wrong)
	}
	got, wrong := NewParameters([]openapi.Parameter{p}, Options{}).Path(map[string]string{"n": ".1.5", "more": "text"})
	if diff := cmp.Diff(map[string]any{"n": 1.5, "more": "text"}, got); wrong != nil || diff != "" {
		t.Error(wrong, diff)
	}
}

func TestHeadersPathsAndCookies(t *testing.T) {
	t.Parallel()
	objects := `{"type": "object", "additionalProperties": {"type": "integer"}}`
	tests := []struct {
		parameter, text string
		want            any
	}{
		{`{"name": "X-Ids", "in": "header", "schema": ` + numbers + `}`, "1, 2 ,3", []any{int64(1), int64(2), int64(3)}},
		{`{"name": "X-Text", "in": "header", "schema": {"type": "string"}}`, "a, b", "a, b"},
		{`{"name": "X-Map", "in": "header", "explode": true, "schema": ` + objects + `}`, "a=1, b=2", map[string]any{"a": int64(1), "b": int64(2)}},
		{`{"name": "X-JSON", "in": "header", "content": {"application/json": {"schema": {}}}}`, `{"a":1}`, map[string]any{"a": int64(1)}},
		{`{"name": "X-Free", "in": "header"}`, "1,2", "1,2"},
		{`{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}`, "42", int64(42)},
		{`{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}`, "0x2A", "0x2A"},
		{`{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}`, "a+b%2Fc", "a+b/c"},
		{`{"name": "q", "in": "path", "required": true, "content": {"application/json": {"schema": {}}}}`, "%5B1%5D", []any{int64(1)}},
		{`{"name": "n", "in": "path", "style": "label", "required": true, "schema": {"type": "number"}}`, ".1.5", 1.5},
		{`{"name": "l", "in": "cookie", "schema": ` + numbers + `}`, "x=1; l=1; l=2", []any{int64(1), int64(2)}},
		{`{"name": "l", "in": "cookie", "schema": ` + numbers + `}`, "l=1&l=2", []any{int64(1), int64(2)}},
		{`{"name": "l", "in": "cookie", "explode": false, "schema": ` + numbers + `}`, `l="1,2"`, []any{int64(1), int64(2)}},
		{`{"name": "l", "in": "cookie", "explode": false, "schema": ` + numbers + `}`, `l=1%2C2`, []any{int64(1), int64(2)}},
		{`{"name": "s", "in": "cookie", "schema": {"type": "string"}}`, "s=100%+a=b", "100%+a=b"},
		{`{"name": "s", "in": "cookie", "schema": {"type": "string"}}`, "s=%C3%A4", "ä"},
	}
	for _, test := range tests {
		got, _, wrong := read(readParameter(t, test.parameter), test.text)
		if diff := cmp.Diff(test.want, got); wrong != nil || diff != "" {
			t.Errorf("%s %s: %v %s", test.parameter, test.text, wrong, diff)
		}
	}
	for _, test := range []struct{ parameter, text, want string }{
		{`{"name": "n", "in": "path", "style": "label", "schema": {"type": "number"}}`, "5", "/n syntax"},
		{`{"name": "n", "in": "path", "style": "matrix", "schema": {"type": "number"}}`, "5", "/n syntax"},
		{`{"name": "n", "in": "path", "style": "matrix", "schema": {"type": "number"}}`, ";m=5", "/n syntax"},
		{`{"name": "n", "in": "path", "style": "matrix", "explode": true, "schema": ` + numbers + `}`, ";n=5;m=6", "/n syntax"},
		{`{"name": "n", "in": "path", "schema": ` + objects + `}`, "a,1,b", "/n syntax"},
		{`{"name": "n", "in": "path", "explode": true, "schema": ` + objects + `}`, "a=1,b", "/n syntax"},
		{`{"name": "n", "in": "header", "content": {"application/json": {}}}`, "{", "/n syntax"},
	} {
		_, _, wrong := read(readParameter(t, test.parameter), test.text)
		if wrong == nil || wrong.Pointer+" "+wrong.Rule != test.want {
			t.Errorf("%s %s is refused with %+v, want %s", test.parameter, test.text, wrong, test.want)
		}
	}
}

func TestHeaderInSeveralLinesIsOneList(t *testing.T) {
	t.Parallel()
	ps := NewParameters([]openapi.Parameter{readParameter(t, `{"name": "x-ids", "in": "header", "schema": `+numbers+`}`)}, Options{})
	got, wrong := ps.Header(http.Header{"X-Ids": {"1,2", "3"}})
	if diff := cmp.Diff(map[string]any{"x-ids": []any{int64(1), int64(2), int64(3)}}, got); wrong != nil || diff != "" {
		t.Error(wrong, diff)
	}
}

func TestQueryThatIsOneValue(t *testing.T) {
	t.Parallel()
	for content, raw := range map[string]string{"application/json": "%7B%22a%22%3A1%7D", "application/x-www-form-urlencoded": "a=1"} {
		p := readParameter(t, `{"name": "q", "in": "querystring", "content": {"`+content+`": {"schema": {"type": "object", "properties": {"a": {"type": "integer"}}}}}}`)
		want := map[string]any{"a": int64(1)}
		got, _, wrong := read(p, raw)
		if diff := cmp.Diff(any(want), got); wrong != nil || diff != "" {
			t.Errorf("%s: %v %s", content, wrong, diff)
		}
		if text, err := EncodeParameter(p, want); err != nil || text != raw {
			t.Errorf("%s: written %q, %v", content, text, err)
		}
	}
}

func TestWritingRefusesWhatWouldBeReadOtherwise(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		parameter string
		value     any
	}{
		{`{"name": "a", "in": "path", "schema": {"type": "string"}}`, ""},
		{`{"name": "a", "in": "path", "schema": ` + listSchema + `}`, []any{"a,b", "c"}},
		{`{"name": "a", "in": "header", "schema": ` + listSchema + `}`, []any{"a,b", "c"}},
		{`{"name": "a", "in": "header", "schema": {"type": "string"}}`, "a\r\nX: y"},
		{`{"name": "a", "in": "header", "schema": {"type": "string"}}`, " a"},
		{`{"name": "a", "in": "query", "style": "spaceDelimited", "schema": ` + listSchema + `}`, []any{"a b", "c"}},
		{`{"name": "a", "in": "query", "explode": false, "schema": ` + listSchema + `}`, []any{"a,b"}},
		{`{"name": "a", "in": "query", "style": "deepObject", "schema": {"type": "object"}}`, map[string]any{"b[c]": "d"}},
		{`{"name": "a", "in": "cookie", "style": "cookie", "schema": {"type": "string"}}`, "a;b"},
		{`{"name": "a", "in": "query", "schema": ` + listSchema + `}`, []any{nil}},
	} {
		if text, err := EncodeParameter(readParameter(t, test.parameter), test.value); err == nil {
			t.Errorf("%s: %v is written %q", test.parameter, test.value, text)
		}
	}
}

func TestReservedCharactersStayWhereAllowed(t *testing.T) {
	t.Parallel()
	p := readParameter(t, `{"name": "a", "in": "query", "allowReserved": true, "schema": {"type": "string"}}`)
	text, err := EncodeParameter(p, "https://x.test/?q=1&r=2#+%")
	if want := "a=https://x.test/?q=1%26r=2%23%2B%25"; err != nil || text != want {
		t.Errorf("%q, %v, want %q", text, err, want)
	}
	p = readParameter(t, `{"name": "a", "in": "query", "explode": false, "allowReserved": true, "schema": `+listSchema+`}`)
	text, err = EncodeParameter(p, []any{"b,c", "d"})
	if want := "a=b%2Cc,d"; err != nil || text != want {
		t.Errorf("%q, %v, want %q", text, err, want)
	}
}

func TestNothingIsWrittenForNothing(t *testing.T) {
	t.Parallel()
	for _, value := range []any{nil, []any{}, map[string]any{}} {
		for _, style := range []string{`"form"`, `"form", "explode": false`, `"pipeDelimited"`, `"deepObject"`} {
			text, err := EncodeParameter(readParameter(t, `{"name": "a", "in": "query", "style": `+style+`, "schema": {"type": ["array", "object"]}}`), value)
			if err != nil || text != "" {
				t.Errorf("%v in %s is written %q, %v", value, style, text, err)
			}
		}
	}
}

func FuzzParameters(f *testing.F) {
	var list []openapi.Parameter
	i := 0
	for _, in := range []string{"path", "header", "query", "cookie"} {
		for _, style := range []string{"simple", "label", "matrix", "form", "deepObject", "spaceDelimited", "pipeDelimited", "cookie", ""} {
			for _, schema := range []string{numbers, colourSchema, nestedSchema, `{"type": ["array", "object", "string"]}`, `{}`} {
				for _, explode := range []bool{true, false} {
					i++
					list = append(list, readParameter(f, fmt.Sprintf(`{"name": "p%d", "in": %q, "style": %q, "explode": %v, "schema": %s}`, i, in, style, explode, schema)))
				}
			}
		}
		list = append(list, readParameter(f, fmt.Sprintf(`{"name": "c", "in": %q, "content": {"application/json": {}}}`, in)))
	}
	ps := NewParameters(list, Options{})
	for _, seed := range []string{"p1=1&p1[]=2", "R=1&G=2&c={}", ".a=1.b=2", ";p1=1;p1=2", "a,1,b", "p1=%", "[]", "=", "&=&", "a[][b]=1&a[][c]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		header, path := http.Header{}, map[string]string{}
		for _, p := range list {
			path[p.Name] = text
			header.Set(p.Name, text)
			if _, wrong := ps.Query(p.Name + "=" + text); wrong != nil && wrong.Rule == "" {
				t.Fatal("a problem without a rule")
			}
		}
		_, _ = ps.Path(path)
		_, _ = ps.Header(header)
		_, _ = ps.Query(text)
		_, _ = ps.Cookie([]string{text})
	})
}

func BenchmarkQuery(b *testing.B) {
	ps := NewParameters([]openapi.Parameter{
		readParameter(b, `{"name": "limit", "in": "query", "schema": {"type": "integer"}}`),
		readParameter(b, `{"name": "starting_after", "in": "query", "schema": {"type": "string"}}`),
		readParameter(b, `{"name": "ids", "in": "query", "explode": false, "schema": `+numbers+`}`),
		readParameter(b, `{"name": "created", "in": "query", "style": "deepObject", "schema": {"type": "object", "properties": {"gt": {"type": "integer"}}}}`),
	}, Options{})
	b.ReportAllocs()
	for b.Loop() {
		if _, wrong := ps.Query("limit=10&starting_after=cus_123&ids=1,2,3&created[gt]=1700000000"); wrong != nil {
			b.Fatal(wrong)
		}
	}
}

func BenchmarkPath(b *testing.B) {
	ps := NewParameters([]openapi.Parameter{readParameter(b, `{"name": "id", "in": "path", "schema": {"type": "integer"}}`)}, Options{})
	path := map[string]string{"id": "42"}
	b.ReportAllocs()
	for b.Loop() {
		if _, wrong := ps.Path(path); wrong != nil {
			b.Fatal(wrong)
		}
	}
}
