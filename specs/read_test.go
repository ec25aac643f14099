package specs

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// brief writes violations so that tables can hold them.
func brief(found []Violation) string {
	lines := make([]string, len(found))
	for i, v := range found {
		lines[i] = strings.TrimSpace(fmt.Sprintf("%s %s %s %s", v.In, v.Pointer, v.Rule, v.Want))
	}
	return strings.Join(lines, "; ")
}

type object = map[string]any

func TestReadStripeForms(t *testing.T) {
	t.Parallel()
	contract := stripe(t)
	tests := []struct {
		name, operation, body string
		want                  object
		violations            string
	}{
		{
			"nested, indexed, as stripe-node writes it", "PostCustomers",
			"metadata[order_id]=6735&address[line1]=1%20St&preferred_locales[0]=en&preferred_locales[1]=fr&shipping[address][line1]=z&shipping[name]=Jo&expand[0]=tax",
			object{
				"metadata": object{"order_id": "6735"}, "address": object{"line1": "1 St"},
				"preferred_locales": []any{"en", "fr"}, "shipping": object{"address": object{"line1": "z"}, "name": "Jo"}, "expand": []any{"tax"},
			},
			"",
		},
		{
			"escaped brackets and plus, as stripe-go writes them", "PostCustomers",
			"metadata%5Bk%5D=a+b%5B0%5D&name=Zo%C3%AB",
			object{"metadata": object{"k": "a b[0]"}, "name": "Zoë"},
			"",
		},
		{"empty brackets", "PostCustomers", "preferred_locales[]=en&preferred_locales[]=fr", object{"preferred_locales": []any{"en", "fr"}}, ""},
		{
			"empty brackets with parts", "PostCustomers",
			"tax_id_data[][type]=eu_vat&tax_id_data[][value]=1&tax_id_data[][type]=gb_vat&tax_id_data[][value]=2",
			object{"tax_id_data": []any{object{"type": "eu_vat", "value": "1"}, object{"type": "gb_vat", "value": "2"}}},
			"",
		},
		{"indexes out of order, with a gap", "PostCustomers", "preferred_locales[7]=b&preferred_locales[2]=a", object{"preferred_locales": []any{"a", "b"}}, ""},
		{"brackets in values", "PostCustomers", "description=a[b]=c&metadata[q]=metadata['k']:'v'", object{"description": "a[b]=c", "metadata": object{"q": "metadata['k']:'v'"}}, ""},
		{"empty metadata unsets all", "PostCustomersCustomer", "metadata=", object{"metadata": ""}, ""},
		{"empty metadata value unsets one", "PostCustomersCustomer", "metadata[k]=", object{"metadata": object{"k": ""}}, ""},
		{"metadata stays text", "PostCustomers", "metadata[n]=12&metadata[b]=true&metadata[0]=x", object{"metadata": object{"n": "12", "b": "true", "0": "x"}}, ""},
		{"empty string unsets", "PostCustomersCustomer", "shipping=&description=&address=", object{"shipping": "", "description": "", "address": ""}, ""},
		{
			"types", "PostPaymentIntents", "amount=2000&currency=usd&confirm=true&off_session=one_off&payment_method_types[]=card",
			object{"amount": int64(2000), "currency": "usd", "confirm": true, "off_session": "one_off", "payment_method_types": []any{"card"}},
			"",
		},
		{"either type", "PostPaymentIntents", "amount=1&currency=EUR&off_session=false", object{"amount": int64(1), "currency": "EUR", "off_session": false}, ""},
		{
			"free form", "PostPaymentIntents", "amount=1&currency=usd&payment_method_options[card][request_three_d_secure]=any&payment_method_options[x][]=1",
			object{"amount": int64(1), "currency": "usd", "payment_method_options": object{"card": object{"request_three_d_secure": "any"}, "x": []any{"1"}}},
			"",
		},
		{
			"kind without a schema", "PostPaymentIntents", "amount=1&currency=usd&payment_method_data[type]=klarna&payment_method_data[klarna][dob][day]=1",
			object{"amount": int64(1), "currency": "usd", "payment_method_data": object{"type": "klarna", "klarna": object{"dob": object{"day": "1"}}}},
			"",
		},
		{"the last one wins", "PostRefunds", "charge=a&charge=b", object{"charge": "b"}, ""},
		{"empty", "PostRefunds", "", object{}, ""},
		{"stray ampersands", "PostRefunds", "&&charge=a&", object{"charge": "a"}, ""},

		{"missing", "PostPaymentIntents", "confirm=false", nil, "body /amount required; body /currency required"},
		{"missing inside", "PostCustomers", "shipping[phone]=1", nil, "body /shipping/address required; body /shipping/name required"},
		{"not an integer", "PostRefunds", "amount=12.5", nil, "body /amount type integer"},
		{"not a decimal integer", "PostRefunds", "amount=0x10", nil, "body /amount type integer"},
		{"too big an integer", "PostRefunds", "amount=99999999999999999999", nil, "body /amount type integer"},
		{"empty integer", "PostRefunds", "amount=", nil, "body /amount type integer"},
		{"not a boolean", "PostPaymentIntents", "amount=1&currency=usd&confirm=yes", nil, "body /confirm type boolean"},
		{"neither of two types", "PostPaymentIntents", "amount=1&currency=usd&off_session=maybe", nil, "body /off_session enum one_off, recurring"},
		{"one value for an object", "PostCustomers", "metadata=x", nil, "body /metadata type object"},
		{"one value for a list", "PostRefunds", "expand=charge", nil, "body /expand type array"},
		{"an object for one value", "PostRefunds", "charge[id]=x", nil, "body /charge type string"},
		{"nested metadata", "PostRefunds", "metadata[a][b]=x", nil, "body /metadata/a type string"},
		{"none of the choices", "PostRefunds", "reason=bored", nil, "body /reason enum duplicate, fraudulent, requested_by_customer"},
		{"empty id", "PostRefunds", "charge=", nil, "body /charge minLength 1"},
		{"too long", "PostPaymentIntents", "amount=1&currency=usd&statement_descriptor=" + strings.Repeat("x", 23), nil, "body /statement_descriptor maxLength 22"},
		{"unknown, close to a known one", "PostRefunds", "payment_intnet=pi_1", nil, "body /payment_intnet unknown payment_intent"},
		{"unknown inside", "PostCustomers", "address[zip_code]=1&address[lin1]=x", nil, "body /address/lin1 unknown line1; body /address/zip_code unknown"},
		{"unknown, close to nothing", "PostRefunds", "zzzzzz=1", nil, "body /zzzzzz unknown"},
		{"value and parts", "PostRefunds", "metadata=1&metadata[a]=2", nil, "body /metadata syntax"},
		{"bad escape", "PostRefunds", "charge=%zz", nil, "body /charge syntax"},
		{"not UTF-8", "PostRefunds", "charge=%ff", nil, "body /charge syntax"},
		{"brackets that do not close", "PostRefunds", "metadata[a=1", nil, "body /metadata[a unknown metadata"},
		{"deep", "PostRefunds", "metadata" + strings.Repeat("[a]", 16) + "=1", nil, "body /metadata" + strings.Repeat("[a]", 16) + " size 16"},
		{"high index", "PostRefunds", "expand[1000]=a", nil, "body /expand/1000 size 999"},
		{"huge index", "PostRefunds", "expand[99999999999999999999999]=a", nil, "body /expand/99999999999999999999999 size 999"},
		{"many fields", "PostRefunds", strings.Repeat("expand[]=a&", 1001), nil, "body  size 1000"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			op := operation(t, contract, test.operation)
			path := map[string]string{}
			if op.Anatomy.Member != "" {
				path[op.Anatomy.Member] = "x_1"
			}
			input, found := op.Read(Request{Path: path, Header: formHeader(), Body: []byte(test.body)})
			if got := brief(found); got != test.violations {
				t.Fatalf("violations\n got %s\nwant %s", got, test.violations)
			}
			if test.want == nil {
				return
			}
			if diff := cmp.Diff(test.want, input.Body); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadStripeQueries(t *testing.T) {
	t.Parallel()
	contract := stripe(t)
	tests := []struct {
		operation, query string
		want             object
		violations       string
	}{
		{"GetCharges", "", nil, ""},
		{
			"GetCharges", "limit=3&created[gte]=1&created[lt]=99&expand[0]=data.customer",
			object{"limit": int64(3), "created": object{"gte": int64(1), "lt": int64(99)}, "expand": []any{"data.customer"}},
			"",
		},
		{"GetCharges", "created=5&starting_after=ch_1", object{"created": int64(5), "starting_after": "ch_1"}, ""},
		{"GetEvents", "types[]=charge.succeeded&delivery_success=false", object{"types": []any{"charge.succeeded"}, "delivery_success": false}, ""},
		{"GetCharges", "limit=0", nil, "query /limit minimum 1"},
		{"GetCharges", "limit=101", nil, "query /limit maximum 100"},
		{"GetCharges", "limit=many", nil, "query /limit type integer"},
		{"GetCharges", "created=soon", nil, "query /created type integer or object"},
		{"GetCharges", "created[after]=1", nil, "query /created/after unknown"},
		{"GetCharges", "custmer=cus_1", nil, "query /custmer unknown customer"},
		{"DeleteCustomersCustomer", "limit=1", nil, "query /limit unknown"},
	}
	for _, test := range tests {
		t.Run(test.operation+" "+test.query, func(t *testing.T) {
			t.Parallel()
			op := operation(t, contract, test.operation)
			// stripe-node sends the form's content type with a GET, and no body.
			r := Request{Query: test.query, Header: formHeader()}
			if op.Anatomy.Member != "" {
				r.Path = map[string]string{op.Anatomy.Member: "x_1"}
			}
			input, found := op.Read(r)
			if got := brief(found); got != test.violations {
				t.Fatalf("violations\n got %s\nwant %s", got, test.violations)
			}
			if test.violations == "" {
				if diff := cmp.Diff(test.want, input.Query); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

const mixed = `
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /things:
    get:
      operationId: list
      parameters:
        - {name: labels, in: query, explode: false, schema: {type: array, items: {type: string}}}
        - {name: properties, in: query, schema: {type: array, items: {type: string}}}
        - {name: 'page[size]', in: query, schema: {type: integer}}
        - {name: 'DateSent>', in: query, schema: {type: string, format: date}}
        - {name: X-Version, in: header, required: true, schema: {type: integer}}
        - {name: q, in: query, required: true, schema: {type: string}}
      responses: {}
    post:
      operationId: make
      requestBody:
        required: true
        content:
          application/json: {schema: {$ref: '#/components/schemas/thing'}}
          text/csv: {}
      responses: {}
  /things/{n}:
    get:
      operationId: get
      parameters: [{name: n, in: path, required: true, schema: {type: integer, minimum: 1}}]
      responses: {}
components:
  schemas:
    thing:
      type: object
      required: [id, name]
      additionalProperties: false
      properties:
        id: {type: string, readOnly: true}
        name: {type: string}
        size: {type: number, minimum: 0, exclusiveMinimum: true}
        parent: {nullable: true, allOf: [{$ref: '#/components/schemas/thing'}]}
        kinds: {type: array, uniqueItems: true, items: {type: string, nullable: true, enum: [a, b]}}
        at: {type: string, format: date-time}
        code: {type: integer, format: int32}
`

func TestReadOtherServices(t *testing.T) {
	t.Parallel()
	contract := load(t, mixed)
	version := http.Header{"X-Version": {"2"}}
	jsonBody := func(kind string) http.Header { return http.Header{"Content-Type": {kind}} }
	tests := []struct {
		name, operation string
		request         Request
		want            Input
		violations      string
	}{
		{
			"lists by comma and by repetition, names with brackets", "list",
			Request{Query: "q=x&labels=a%2Cb&properties=email&properties=name&page[size]=5&DateSent%3E=2026-01-02&new=1", Header: version},
			Input{Query: object{"q": "x", "labels": []any{"a", "b"}, "properties": []any{"email", "name"}, "page[size]": int64(5), "DateSent>": "2026-01-02", "new": "1"}},
			"",
		},
		{"a list of one", "list", Request{Query: "q=x&properties=email", Header: version}, Input{Query: object{"q": "x", "properties": []any{"email"}}}, ""},
		{"missing everywhere", "list", Request{}, Input{}, "header /X-Version required; query /q required"},
		{"header of another type", "list", Request{Query: "q=", Header: http.Header{"X-Version": {"two"}}}, Input{}, "header /X-Version type integer"},
		{"path of another type", "get", Request{Path: map[string]string{"n": "zero"}}, Input{}, "path /n type integer"},
		{"path below its bound", "get", Request{Path: map[string]string{"n": "0"}}, Input{}, "path /n minimum 1"},
		{"no body is declared", "get", Request{Path: map[string]string{"n": "1"}, Body: []byte("a=1"), Header: formHeader()}, Input{}, "body  unknown"},
		{"an empty object for no body", "get", Request{Path: map[string]string{"n": "1"}, Body: []byte("{}"), Header: jsonBody("application/json")}, Input{Path: map[string]string{"n": "1"}}, ""},
		{
			"JSON", "make",
			Request{Header: jsonBody("application/json"), Body: []byte(`{"name":"a","size":0.5,"parent":null,"kinds":["a",null],"code":7}`)},
			Input{Body: object{"name": "a", "size": 0.5, "parent": nil, "kinds": []any{"a", nil}, "code": int64(7)}},
			"",
		},
		{"JSON with a charset", "make", Request{Header: jsonBody("application/json; charset=utf-8"), Body: []byte(`{"name":"a"}`)}, Input{Body: object{"name": "a"}}, ""},
		{"JSON in capitals", "make", Request{Header: jsonBody("Application/JSON"), Body: []byte(`{"name":"a"}`)}, Input{Body: object{"name": "a"}}, ""},
		{"a kind of JSON", "make", Request{Header: jsonBody("application/merge-patch+json"), Body: []byte(`{"name":"a"}`)}, Input{Body: object{"name": "a"}}, ""},
		{"bytes", "make", Request{Header: jsonBody("text/csv"), Body: []byte(`a,b`)}, Input{Value: "a,b"}, ""},
		{"JSON keeps its types", "make", Request{Header: jsonBody("application/json"), Body: []byte(`{"name":1,"size":"2"}`)}, Input{}, "body /name type string; body /size type number"},
		{"not an object", "make", Request{Header: jsonBody("application/json"), Body: []byte(`[]`)}, Input{}, "body  type object"},
		{
			"bounds, formats, doubles", "make",
			Request{Header: jsonBody("application/json"), Body: []byte(`{"name":"","size":0,"at":"noon","code":3000000000,"kinds":["a","a"]}`)},
			Input{},
			"body /at format date-time; body /code format int32; body /kinds uniqueItems; body /size exclusiveMinimum 0",
		},
		{"readOnly is not demanded inside either", "make", Request{Header: jsonBody("application/json"), Body: []byte(`{"name":"","parent":{"name":"b","parent":{}}}`)}, Input{}, "body /parent/parent/name required"},
		{"garbage after", "make", Request{Header: jsonBody("application/json"), Body: []byte(`{"name":"a"} x`)}, Input{}, "body  syntax"},
		{"two documents", "make", Request{Header: jsonBody("application/json"), Body: []byte(`{"name":"a"}{"name":"b"}`)}, Input{}, "body  syntax"},
		{"a doubled key", "make", Request{Header: jsonBody("application/json"), Body: []byte(`{"name":"a","n\u0061me":"b"}`)}, Input{}, "body /name syntax"},
		{"a body that is missing", "make", Request{Header: jsonBody("application/json")}, Input{}, "body  required application/json or text/csv"},
		{"a kind that is not taken", "make", Request{Header: formHeader(), Body: []byte("name=a")}, Input{}, "body  content-type application/json or text/csv"},
		{"no content type, several kinds", "make", Request{Body: []byte(`{}`)}, Input{}, "body  content-type application/json or text/csv"},
		{"a content type that is none", "make", Request{Header: jsonBody(";;"), Body: []byte(`{}`)}, Input{}, "body  content-type application/json or text/csv"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			input, found := operation(t, contract, test.operation).Read(test.request)
			if got := brief(found); got != test.violations {
				t.Fatalf("violations\n got %s\nwant %s", got, test.violations)
			}
			if test.violations == "" {
				if diff := cmp.Diff(test.want, input); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestMessagesSayWhatWasMeant(t *testing.T) {
	t.Parallel()
	contract := stripe(t)
	_, found := operation(t, contract, "PostPaymentIntents").Read(Request{
		Header: formHeader(),
		Body:   []byte("amount=ten&curency=usd&capture_method=later&metadata=x"),
	})
	var got []string
	for _, v := range found {
		got = append(got, v.Pointer+" "+v.Message)
	}
	want := []string{
		`/amount wants an integer, got "ten"`,
		`/capture_method wants one of "automatic", "automatic_async", "manual"`,
		`/curency is not known here; currency may be meant`,
		`/currency is required`,
		`/metadata wants an object, got "x"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEffectsAndAnatomy(t *testing.T) {
	t.Parallel()
	contract := stripe(t)
	for name, want := range map[string]Effect{
		"GetCharges": Read, "PostCustomers": Reversible, "PostRefunds": Irreversible, "DeleteCustomersCustomer": Irreversible,
		"PostPaymentIntents": Irreversible, "PostPaymentIntentsIntentConfirm": Irreversible, "PostPaymentIntentsIntent": Reversible,
	} {
		if got := operation(t, contract, name).Effect; got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]Anatomy{
		"GetCharges": {
			Collection: "charges", List: true, Items: "/data", More: "/has_more", Cursor: "starting_after",
			Cursors: []string{"starting_after", "ending_before"}, First: 1, Limit: []string{"limit"}, Volatile: []string{"expand"},
		},
		"PostPaymentIntentsIntentConfirm":                 {Collection: "payment_intents", Member: "intent", Key: "Idempotency-Key", Volatile: []string{"expand"}},
		"GetCustomersCustomerPaymentMethodsPaymentMethod": {Collection: "payment_methods", Member: "payment_method", Volatile: []string{"expand"}},
	} {
		if diff := cmp.Diff(want, operation(t, contract, name).Anatomy); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for field, want := range map[string]string{"customer": "customers", "payment_intent": "payment_intents", "amount": "", "nothing": ""} {
		if got, ok := contract.Refers("stripe.charges", field); got != want || ok != (want != "") {
			t.Errorf("charges.%s refers to %q", field, got)
		}
	}
	if got, _ := contract.Refers("customers", "invoice_settings.default_payment_method"); got != "payment_methods" {
		t.Errorf("a field inside another refers to %q", got)
	}
}

// FuzzReadForm holds the form decoder to what it promises: no panic, text in
// and JSON types out, within its bounds.
func FuzzReadForm(f *testing.F) {
	contract, err := Builtin("stripe")
	if err != nil {
		f.Fatal(err)
	}
	op, _ := contract.Operation("PostPaymentIntents")
	for _, seed := range []string{intentForm, "a[][b]=1&a[][c]=2", "metadata=", "expand[]=a&expand[0]=b&expand=c", "a[b][]c=1", "[]=1", "=&[=]", "amount=%"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		input, found := op.Read(Request{Header: formHeader(), Body: []byte(body)})
		check(t, input.Body, 0)
		if len(found) > mostViolations {
			t.Errorf("%d violations", len(found))
		}
	})
}

func check(t *testing.T, value any, depth int) {
	t.Helper()
	if depth > 17 {
		t.Fatalf("nests deeper than %d", depth)
	}
	switch v := value.(type) {
	case map[string]any:
		for _, inner := range v {
			check(t, inner, depth+1)
		}
	case []any:
		for _, inner := range v {
			check(t, inner, depth+1)
		}
	case nil, string, bool, int64, float64:
	default:
		t.Fatalf("a %T", v)
	}
}

func TestBytesThatAreCalledAFormAreTakenAsTheyAre(t *testing.T) {
	t.Parallel()
	contract, _, err := Load(fstest.MapFS{"files.yaml": {Data: []byte(`
openapi: 3.1.0
info: {title: files, version: '1'}
paths:
  /upload:
    post: {operationId: upload, requestBody: {content: {'*/*': {}}}, responses: {'200': {description: ok}}}
`)}}, "files.yaml", "files")
	if err != nil {
		t.Fatal(err)
	}
	input, found := contract.Operations[0].Read(Request{
		Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, Body: []byte("100 % of it; a[b"),
	})
	if len(found) > 0 || input.Value != "100 % of it; a[b" {
		t.Errorf("%v, %v", input.Value, found)
	}
}

func TestBytesThatAreTextAreKept(t *testing.T) {
	t.Parallel()
	contract, _, err := Load(fstest.MapFS{"files.yaml": {Data: []byte(`
openapi: 3.1.0
info: {title: files, version: '1'}
paths:
  /upload:
    post: {operationId: upload, requestBody: {content: {'*/*': {}}}, responses: {'200': {description: ok}}}
`)}}, "files.yaml", "files")
	if err != nil {
		t.Fatal(err)
	}
	for sent, want := range map[string]string{"a,b\n": "a,b\n", "\xff\x00": "file of 2 bytes, "} {
		input, found := contract.Operations[0].Read(Request{Header: http.Header{"Content-Type": {"application/octet-stream"}}, Body: []byte(sent)})
		if got, _ := input.Value.(string); len(found) > 0 || !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q, %v", sent, got, found)
		}
	}
}

// A push by git was decided again with no body: what is kept says only which file it
// was.
func TestASummaryOfAFileIsKnown(t *testing.T) {
	t.Parallel()
	for kept, want := range map[string]bool{
		`"file of 602 bytes, application/octet-stream, sha256 3d2265a229548da4"`: true,
		`"file of notes"`: false, `{"file":"file of 5 bytes, text/plain, sha256 3d2265a229548da4"}`: false, "": false,
	} {
		if got := Summarised([]byte(kept)); got != want {
			t.Errorf("%s: %t", kept, got)
		}
	}
}
