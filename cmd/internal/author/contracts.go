package author

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"parity/cmd/internal/output"
	"parity/fakes/generic"
	"parity/gateway/fidelity"
	"parity/specs"
	"parity/specs/anatomy"
	"parity/specs/oracle"
	"parity/specs/words"
)

// ContractView is which contract to look at, and how to say it.
type ContractView struct {
	Name      string // a file, or a service that ships
	Operation string // ShowContract: one operation, by "GET /path" or its id; "": all
	Output    string // text or json
	Alone     bool   // LintContract: kin-openapi is not asked
}

// inspected is a contract with all that is to be said about it.
type inspected struct {
	*specs.Contract
	file    string // as the user named it; "" for one that ships
	builtin bool
	found   []specs.Diagnostic
}

// inspect loads a contract by the name of a file or of a service that ships.
func inspect(o ContractView) (*inspected, error) {
	if err := output.TextOrJSON(o.Output); err != nil {
		return nil, err
	}
	if slices.Contains(specs.Services(), o.Name) {
		if _, err := os.Stat(o.Name); errors.Is(err, fs.ErrNotExist) {
			c, err := specs.Builtin(o.Name)
			return &inspected{Contract: c, builtin: true}, err
		}
	}
	if _, err := os.Stat(o.Name); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no such file, and no such service; those that ship: %s", o.Name, strings.Join(specs.Services(), ", "))
	}
	folder, file := filepath.Split(o.Name)
	root, err := os.OpenRoot(filepath.Clean(folder + "."))
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // nothing was written
	c, found, err := specs.Load(root.FS(), file, nameOf(o.Name))
	if err != nil {
		return nil, err
	}
	return &inspected{Contract: c, file: o.Name, found: found}, nil
}

// lintOfContract is a lint's outcome as -o json has it.
type lintOfContract struct {
	Contract   string          `json:"contract"`
	Version    string          `json:"openapi"`
	Hash       string          `json:"hash"`
	Files      []string        `json:"files"`
	Hosts      []string        `json:"hosts"`
	Operations int             `json:"operations"`
	Resources  int             `json:"resources"`
	Problems   []diagnosticOut `json:"problems"`
	Warnings   []diagnosticOut `json:"warnings,omitempty"`
	Second     *secondOpinion  `json:"second_opinion,omitempty"`
}

// secondOpinion is what kin-openapi, which was written apart from Parity, says
// of a contract.
type secondOpinion struct {
	By       string          `json:"by"`
	Problems []diagnosticOut `json:"problems"`
	Cannot   string          `json:"cannot,omitempty"` // why it says nothing
}

type diagnosticOut struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Pointer string `json:"pointer,omitempty"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// LintContract reads every operation and compiles every schema of a contract,
// and says what is wrong in it, and where; what is not wrong, and will still
// surprise; and what kin-openapi holds to be wrong besides. It gives how many
// faults there are that Parity found: kin-openapi is stricter where Parity goes
// on, and says nothing of what only Parity asks for. Its error says why the
// contract is of no use at all.
func LintContract(w io.Writer, o ContractView) (faults int, err error) {
	c, err := inspect(o)
	if err != nil {
		return 0, err
	}
	out := lintOfContract{
		Contract: c.Service, Version: c.API().Version, Hash: c.Hash, Files: c.Files, Hosts: c.Hosts, Operations: len(c.Operations),
		Resources: len(c.Model().Resources), Problems: []diagnosticOut{},
	}
	for _, d := range append(c.found, c.Check()...) {
		out.Problems = append(out.Problems, c.placed(d))
	}
	if !c.builtin {
		for _, d := range c.Advise() {
			out.Warnings = append(out.Warnings, c.placed(d))
		}
	}
	if !o.Alone {
		out.Second = c.second()
	}
	if o.Output == "json" {
		return len(out.Problems), output.JSON(w, out)
	}
	var page strings.Builder
	tell(&page, "", out.Problems)
	tell(&page, "warning: ", out.Warnings)
	counted := words.Count(len(out.Problems), "fault")
	if len(out.Warnings) > 0 {
		counted += ", " + words.Count(len(out.Warnings), "warning")
	}
	fmt.Fprintf(&page, "%s: %s, %s, %s; %s\n", c.Service, versionWords(out.Version), words.Count(out.Operations, "operation"),
		words.Count(out.Resources, "resource"), counted)
	if s := out.Second; s != nil {
		switch {
		case s.Cannot != "":
			fmt.Fprintf(&page, "\nA second opinion: %s cannot read it: %s\n", s.By, s.Cannot)
		case len(s.Problems) == 0:
			fmt.Fprintf(&page, "\nA second opinion: %s finds nothing wrong.\n", s.By)
		default:
			fmt.Fprintf(&page, "\nA second opinion, which does not count: %s finds %s\n", s.By, words.Count(len(s.Problems), "fault"))
			tell(&page, "", s.Problems)
		}
	}
	_, err = io.WriteString(w, page.String())
	return len(out.Problems), err
}

// tell writes diagnostics as compilers do.
func tell(page *strings.Builder, of string, problems []diagnosticOut) {
	for _, p := range problems {
		fmt.Fprintf(page, "%s:%d:%d: %s%s: %s\n", p.File, p.Line, p.Column, of, p.Code, p.Message)
	}
}

func (c *inspected) placed(d specs.Diagnostic) diagnosticOut {
	return diagnosticOut{c.path(d.File), d.Line, d.Column, d.Pointer, d.Code, d.Message}
}

// path is where a file of the contract is, as the user named it.
func (c *inspected) path(file string) string {
	if c.builtin {
		return file
	}
	return filepath.Join(filepath.Dir(c.file), filepath.FromSlash(file))
}

// second asks kin-openapi.
func (c *inspected) second() *secondOpinion {
	said := &secondOpinion{By: "kin-openapi", Problems: []diagnosticOut{}}
	d, err := oracle.Read(c.API().Document)
	if err != nil {
		said.Cannot = err.Error()
		return said
	}
	for _, f := range d.Lint() {
		said.Problems = append(said.Problems, diagnosticOut{c.path(f.File), f.Line, f.Column, f.Pointer, said.By, f.Message})
	}
	return said
}

func versionWords(version string) string {
	switch version {
	case "2.0":
		return "Swagger 2.0"
	case "discovery":
		return "Google discovery"
	default:
		return "OpenAPI " + version
	}
}

// operationOut is an operation as -o json has it.
type operationOut struct {
	Operation string `json:"operation"`
	ID        string `json:"id,omitempty"`
	Effect    string `json:"effect"`
	Does      string `json:"does"`
	Resource  string `json:"resource,omitempty"`
	Fidelity  string `json:"fidelity"`
	Why       string `json:"why,omitempty"`
}

// ShowContract lists the operations of a contract: what each does to the world,
// to which resource, and how faithfully it is answered. With an operation it
// shows that one whole.
func ShowContract(w io.Writer, o ContractView) error {
	c, err := inspect(o)
	if err != nil {
		return err
	}
	if o.Operation != "" {
		op, ok := c.Operation(o.Operation)
		if !ok {
			return fmt.Errorf("%s has no operation %q; parity contract show %s lists them", c.Service, o.Operation, o.Name)
		}
		return c.showOperation(w, op, o.Output)
	}
	list := make([]operationOut, len(c.Operations))
	for i, op := range c.Operations {
		list[i] = c.describe(op)
	}
	if o.Output == "json" {
		return output.JSON(w, list)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "OPERATION\tID\tEFFECT\tDOES\tRESOURCE\tFIDELITY") // Flush tells what failed
	for _, op := range list {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", op.Operation, dash(op.ID), op.Effect, op.Does, dash(op.Resource), op.Fidelity)
	}
	return table.Flush()
}

// InferContract writes the first behaviour file of a contract.
func InferContract(w io.Writer, name string) error {
	c, err := inspect(ContractView{Name: name, Output: "text"})
	if err != nil {
		return err
	}
	_, err = w.Write(generic.Sketch(c.Contract))
	return err
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func (c *inspected) describe(op *specs.Operation) operationOut {
	out := operationOut{
		Operation: op.Method + " " + op.Path, ID: op.ID, Effect: string(op.Effect), Does: string(anatomy.Other),
		Resource: op.Anatomy.Collection,
	}
	role := c.Model().Roles[op.Source()]
	if role != nil {
		out.Does = string(role.Kind)
		if !c.builtin {
			out.Why = role.Why
		}
	}
	out.Fidelity = string(fidelity.Expected(c.builtin, role))
	return out
}

// showOperation shows one operation: what it takes and gives, and its parts.
func (c *inspected) showOperation(w io.Writer, op *specs.Operation, form string) error {
	brief := c.describe(op)
	if form == "json" {
		return output.JSON(w, struct {
			operationOut
			Takes   []string      `json:"takes"`
			Answers []string      `json:"answers"`
			Anatomy specs.Anatomy `json:"anatomy"`
		}{brief, op.BodyKinds(), op.Statuses(), op.Anatomy})
	}
	lines := [][2]string{
		{"operation", op.Name()},
		{"id", dash(op.ID)},
		{"effect", brief.Effect},
		{"does", brief.Does},
		{"resource", dash(brief.Resource)},
		{"fidelity", brief.Fidelity},
		{"takes", dash(strings.Join(op.BodyKinds(), ", "))},
		{"answers", dash(strings.Join(op.Statuses(), ", "))},
		{"member", op.Anatomy.Member},
		{"items", op.Anatomy.Items},
		{"cursor", op.Anatomy.Cursor},
		{"limit", strings.Join(op.Anatomy.Limit, ", ")},
		{"next", strings.Join(op.Anatomy.Next, ", ")},
		{"more", op.Anatomy.More},
		{"total", op.Anatomy.Total},
		{"version", op.Anatomy.Version},
		{"key", cmp.Or(op.Anatomy.Key, op.Anatomy.KeyField)},
		{"why", brief.Why},
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range lines {
		if line[1] != "" {
			fmt.Fprintf(table, "%s\t%s\n", line[0], line[1]) // Flush tells what failed
		}
	}
	return table.Flush()
}
