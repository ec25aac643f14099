package profiles_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parity/fakes/world"
	"parity/profiles"
	"parity/specs"
)

// crm is a profile with a service of its own, in a folder of its own.
func crm(t *testing.T, dir string) string {
	t.Helper()
	writeAll(t, dir, map[string]string{
		"rough.yaml": `profile: rough
services:
  stripe: {effects: {POST /v1/customers: irreversible}}
  acme-crm:
    contract: contracts/acme-crm.yaml
    hosts: [crm.acme.internal, "*.CRM.acme.internal"]
    effects:
      acme-crm POST /contacts: irreversible
faults:
  down: {call: acme-crm GET /contacts, inject: error, with: {status: 503}}
`,
		"contracts/acme-crm.yaml": crmContract,
		"contracts/schemas.yaml":  crmSchemas,
	})
	return filepath.Join(dir, "rough.yaml")
}

const crmContract = `openapi: 3.0.3
info: {title: CRM, version: "1"}
servers: [{url: "https://api.acme.example"}]
paths:
  /contacts:
    get:
      operationId: listContacts
      x-parity-collection: contacts
      responses: {"200": {description: All, content: {application/json: {schema: {type: array, items: {$ref: "schemas.yaml#/Contact"}}}}}}
    post:
      operationId: createContact
      x-parity-collection: contacts
      requestBody: {required: true, content: {application/json: {schema: {$ref: "schemas.yaml#/Contact"}}}}
      responses: {"201": {description: Made, content: {application/json: {schema: {$ref: "schemas.yaml#/Contact"}}}}}
  /contacts/{id}:
    get:
      operationId: getContact
      x-parity-collection: contacts
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: One, content: {application/json: {schema: {$ref: "schemas.yaml#/Contact"}}}}}
`

const crmSchemas = `Contact:
  type: object
  required: [email]
  properties: {id: {type: string, readOnly: true}, email: {type: string}, name: {type: string}}
`

func TestAContractBecomesAServiceOfTheProfile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := options(t, dir)
	p, err := profiles.Load(crm(t, dir), o)
	if err != nil || len(p.Warnings) > 0 {
		t.Fatal(err, p)
	}
	if !slices.Equal(p.Services, []string{"acme-crm", "stripe"}) {
		t.Errorf("services %v", p.Services)
	}
	for host, want := range map[string]string{
		"crm.acme.internal": "acme-crm", "eu.crm.acme.internal": "acme-crm", "api.stripe.com": "stripe", "api.acme.example": "",
	} {
		if s, _ := p.Catalogue.ByHost(host); s.Name != want {
			t.Errorf("%s is of %q; want %q", host, s.Name, want)
		}
	}
	s, _ := p.Catalogue.Service("acme-crm")
	if op, ok := s.Contract.Operation("createContact"); !ok || p.Effect(op) != specs.Irreversible || op.Effect != specs.Reversible {
		t.Errorf("the effect of createContact is %v", p.Effect(op))
	}
	if len(p.Files) != 3 || len(p.Sources["acme-crm"].Files) != 2 {
		t.Errorf("read from %v", p.Files)
	}
	w, err := p.Catalogue.World()
	if err != nil || len(w.Lacks(world.Collection{Name: "acme-crm.contacts"})) > 0 {
		t.Errorf("a world without contacts, %v", err)
	}
	if _, ok := o.Catalogue.Service("acme-crm"); ok {
		t.Error("the service is in the catalogue of all")
	}
	for _, s := range p.Catalogue.Services() {
		if s.Name != "stripe" {
			continue
		}
		if op, ok := s.Contract.Operation("PostCustomers"); !ok || p.Effect(op) != specs.Irreversible || op.Effect == specs.Irreversible {
			t.Error("the effect of a built-in operation is not the profile's, or is everybody's")
		}
	}
}

// The hash of a profile covers what it names, and what is read again from what
// was kept is the same profile.
func TestTheRevisionCoversContracts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, o, folder := crm(t, dir), options(t, dir), filepath.Join(dir, "last-good")
	was, err := profiles.Load(file, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Shelf = profiles.NewShelf()
	save(t, filepath.Join(dir, "contracts/schemas.yaml"), []byte(strings.Replace(crmSchemas, "name:", "fullname:", 1)))
	is, err := profiles.Load(file, o)
	if err != nil || was.Revision == is.Revision || was.Catalogue.Hash() == is.Catalogue.Hash() {
		t.Fatalf("%v: %s and %s", err, was.Revision, is.Revision)
	}
	if err := profiles.Keep(folder, file, is, o); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rough.yaml", "contracts/acme-crm.yaml", "contracts/schemas.yaml"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := profiles.LastGood(folder, file, o)
	if err != nil || kept.Revision != is.Revision || kept.Catalogue.Hash() != is.Catalogue.Hash() {
		t.Fatalf("kept as %+v, %v", kept, err)
	}
	if s, ok := kept.Catalogue.ByHost("eu.crm.acme.internal"); !ok || s.Contract == nil {
		t.Error("the kept revision does not play the service")
	}
	list, contents := is.Sources.Pack()
	sources, err := profiles.Unpack(list, func(hash string) ([]byte, bool) { c, ok := contents[hash]; return c, ok })
	o.Sources = sources
	if err == nil {
		kept, err = profiles.Parse("kept", is.Content, o)
	}
	if err != nil || kept.Revision != is.Revision {
		t.Errorf("unpacked to %+v, %v", kept, err)
	}
}

// What has not changed is not compiled again.
func TestAContractIsCompiledOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := options(t, dir)
	o.Shelf = profiles.NewShelf()
	file := crm(t, dir)
	contract := func() *specs.Contract {
		t.Helper()
		p, err := profiles.Load(file, o)
		if err != nil {
			t.Fatal(err)
		}
		s, _ := p.Catalogue.Service("acme-crm")
		return s.Contract
	}
	first := contract()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	save(t, file, append([]byte("seed: 3\n"), text...))
	if contract() != first {
		t.Error("another profile compiles the same contract again")
	}
	save(t, filepath.Join(dir, "contracts/schemas.yaml"), []byte(crmSchemas+"# more\n"))
	if contract() == first {
		t.Error("a change in a file that it refers to is not seen")
	}
	save(t, filepath.Join(dir, "contracts/schemas.yaml"), []byte(crmSchemas))
	if contract() != first {
		t.Error("a change that is taken back is compiled again")
	}
}

func TestPathsOfAContractBeginWhereItIsNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	crm(t, filepath.Join(dir, "base"))
	writeAll(t, dir, map[string]string{"top/mine.yaml": "profile: mine\nextends: [../base/rough.yaml]\nservices: {acme-crm: {hosts: []}}\n"})
	p, err := profiles.Load("top/mine.yaml", options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(p.Content), "contract: ../base/contracts/acme-crm.yaml") {
		t.Errorf("shown as\n%s", p.Content)
	}
	if _, ok := p.Catalogue.ByHost("crm.acme.internal"); ok {
		t.Error("hosts: [] leaves it a host")
	}
}

func TestWatchSeesWhatAContractRefersTo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := crm(t, dir)
	w := watch(t, file)
	schemas := filepath.Join(dir, "contracts/schemas.yaml")
	save(t, schemas, []byte(strings.Replace(crmSchemas, "name:", "fullname:", 1)))
	if s := w.next(); s.err != nil || !strings.Contains(string(s.p.Sources["acme-crm"].Files["schemas.yaml"]), "fullname") {
		t.Fatalf("called back with %+v", s)
	}
	save(t, filepath.Join(dir, "contracts/acme-crm.yaml"), []byte("openapi: ["))
	var problems profiles.Problems
	if s := w.next(); !errors.As(s.err, &problems) || problems[0].Line != 5 {
		t.Fatalf("called back with %+v; want a problem on line 5", s)
	}
	save(t, filepath.Join(dir, "contracts/acme-crm.yaml"), []byte(crmContract+"# mended\n"))
	if s := w.next(); s.err != nil {
		t.Fatal(s.err)
	}
	if err := os.Remove(filepath.Join(dir, "contracts/acme-crm.yaml")); err != nil {
		t.Fatal(err)
	}
	if s := w.next(); s.err == nil || !strings.Contains(s.err.Error(), "there is no such file") {
		t.Fatalf("called back with %+v", s)
	}
	save(t, filepath.Join(dir, "contracts/acme-crm.yaml"), []byte(crmContract))
	if s := w.next(); s.err != nil {
		t.Fatal(s.err)
	}
}

// A service that is added may come from anywhere, and is part of the profile.
func TestServicesAreAddedToAProfile(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	crm(t, elsewhere)
	o := options(t, dir)
	file := filepath.Join(elsewhere, "contracts/acme-crm.yaml")
	o.Added = []profiles.Added{{Service: "crm", Contract: file, Hosts: []string{"crm.test"}}}
	for _, name := range []string{profiles.Bare, "baseline"} {
		p, err := profiles.Load(name, o)
		if err != nil || len(p.Warnings) > 0 {
			t.Fatal(name, err, p)
		}
		if s, _ := p.Catalogue.ByHost("crm.test"); s.Name != "crm" || !slices.Contains(p.Services, "crm") {
			t.Errorf("%s has %v", name, p.Services)
		}
		if slices.Contains(p.Services, "stripe") != (name == "baseline") {
			t.Errorf("%s has %v", name, p.Services)
		}
		again := o
		again.Added, again.Sources = nil, p.Sources
		if kept, err := profiles.Parse("kept", p.Content, again); err != nil || kept.Revision != p.Revision {
			t.Errorf("%s is kept as %+v, %v", name, kept, err)
		}
	}
	save(t, file, []byte("openapi: 3.0.3\ninfo: [\n"))
	if _, err := profiles.Load(profiles.Bare, o); err == nil || !strings.HasPrefix(err.Error(), filepath.ToSlash(file)+":3:1: this is not YAML") {
		t.Errorf("%v", err)
	}
}

// A link in the folder of a contract does not lead out of the profile's.
func TestAContractCannotReachOutside(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	file := crm(t, dir)
	save(t, filepath.Join(elsewhere, "schemas.yaml"), []byte(crmSchemas))
	inside := filepath.Join(dir, "contracts/schemas.yaml")
	if err := errors.Join(os.Remove(inside), os.Symlink(filepath.Join(elsewhere, "schemas.yaml"), inside)); err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Load(file, options(t, dir))
	if err == nil && len(p.Sources["acme-crm"].Files) > 1 {
		t.Errorf("it was read through a link: %v", p.Files)
	}
}

// Hosts are said for built-in services too, and one that no bound service has
// is free.
func TestHostsOfServices(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ services, host, want string }{
		{"stripe: {}", "api.stripe.com", "stripe"},
		{"stripe: {hosts: [stripe.proxy]}", "stripe.proxy", "stripe"},
		{"stripe: {hosts: [stripe.proxy]}", "api.stripe.com", ""},
		{"my-stripe: {contract: crm.yaml, hosts: [api.stripe.com]}", "api.stripe.com", "my-stripe"},
		{"crm: {contract: crm.yaml}", "api.acme.example", "crm"},
		{"crm: {contract: crm.yaml}", "api.stripe.com", "stripe"}, // not bound: nobody answers
		{"crm: {contract: crm.yaml, hosts: [10.1.2.3]}", "10.1.2.3", "crm"},
		{"crm: {contract: crm.yaml, hosts: [crm]}", "crm", "crm"},
	} {
		dir := t.TempDir()
		writeAll(t, dir, map[string]string{"p.yaml": "profile: p\nservices:\n  " + c.services + "\n", "crm.yaml": crmContract, "schemas.yaml": crmSchemas})
		p, err := profiles.Load("p.yaml", options(t, dir))
		if err != nil || len(p.Warnings) > 0 {
			t.Errorf("%s: %v %v", c.services, err, p)
			continue
		}
		if s, _ := p.Catalogue.ByHost(c.host); s.Name != c.want {
			t.Errorf("%s: %s is of %q; want %q", c.services, c.host, s.Name, c.want)
		}
	}
}

// What was kept and is not whole is refused, not taken for less.
func TestContractsThatAreNotKeptWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, o, folder := crm(t, dir), options(t, dir), filepath.Join(dir, "last-good")
	p, err := profiles.Load(file, o)
	if err != nil {
		t.Fatal(err)
	}
	keep := func() string {
		t.Helper()
		if err := profiles.Keep(folder, file, p, o); err != nil {
			t.Fatal(err)
		}
		kept, err := filepath.Glob(filepath.Join(folder, "*.contracts-*"))
		if err != nil || len(kept) != 1 {
			t.Fatal(kept, err)
		}
		return kept[0]
	}
	whole, err := os.ReadFile(keep())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"cut": whole[:len(whole)-1], "empty": nil, "changed": append(slices.Clone(whole[:len(whole)-1]), '!'), "text": []byte("contracts"),
	} {
		save(t, keep(), content)
		if kept, err := profiles.LastGood(folder, file, o); err == nil {
			t.Errorf("%s: taken as %v", name, kept.Sources)
		}
	}
	if err := os.Remove(keep()); err != nil {
		t.Fatal(err)
	}
	if _, err := profiles.LastGood(folder, file, o); err == nil || !strings.Contains(err.Error(), "was not kept") {
		t.Errorf("without them: %v", err)
	}
	keep()
	if _, err := profiles.LastGood(folder, file, o); err != nil {
		t.Error(err)
	}
}

// In a condition a hyphen is a minus.
func TestAConditionNamesAServiceWithAHyphen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	crm(t, dir)
	for when, want := range map[string]string{
		`len(world["acme-crm"].contacts) > 1`: "",
		`len(world.acme-crm.contacts) > 1`:    `write world["acme-crm"]`,
	} {
		text := "profile: p\nextends: [./rough.yaml]\nfaults: {down: {when: '" + when + "'}}\n"
		writeAll(t, dir, map[string]string{"p.yaml": text})
		_, err := profiles.Load("p.yaml", options(t, dir))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", when, err)
		}
	}
}

// Where one stands does not change what a profile is.
func TestTheRevisionIsTheSameFromAnyFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	crm(t, filepath.Join(dir, "a/b"))
	writeAll(t, dir, map[string]string{
		"a/b/rules.yaml": "behaviour: acme-crm\n",
		"a/b/top.yaml":   "profile: top\nextends: [./rough.yaml]\nservices: {acme-crm: {behaviour: rules.yaml}}\n",
	})
	var revisions []string
	for _, from := range []struct{ dir, name string }{{"", "a/b/top.yaml"}, {"a", "b/top.yaml"}, {"a/b", "./top.yaml"}, {"a/b", filepath.Join(dir, "a/b/top.yaml")}} {
		p, err := profiles.Load(from.name, options(t, filepath.Join(dir, from.dir)))
		if err != nil {
			t.Fatal(err)
		}
		revisions = append(revisions, p.Revision)
	}
	if len(slices.Compact(revisions)) != 1 {
		t.Errorf("revisions %v", revisions)
	}
}
