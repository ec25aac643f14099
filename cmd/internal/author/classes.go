package author

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"parity/cmd/internal/output"
	"parity/gateway/fidelity"
	"parity/specs"
	"parity/specs/class"
	"parity/specs/words"
)

// classesOut are the classes of a contract's operations as -o json has them.
type classesOut struct {
	Contract   string     `json:"contract"`
	Operations []classOut `json:"operations"`
	Classes    []countOut `json:"classes"`
}

type classOut struct {
	Operation string `json:"operation"`
	ID        string `json:"id,omitempty"`
	Class     string `json:"class"`
	How       string `json:"how"`
	By        string `json:"by,omitempty"`
	Effect    string `json:"effect"`
	Fidelity  string `json:"fidelity"`
}

type countOut struct {
	Class string `json:"class"`
	Count int    `json:"count"`
}

// ClassifyContract lists the operations of a contract, the highest class first:
// what sort of act each is, who says so, and how many of each there are.
func ClassifyContract(w io.Writer, o ContractView) error {
	c, err := inspect(o)
	if err != nil {
		return err
	}
	out := classesOut{Contract: c.Service, Operations: make([]classOut, 0, len(c.Operations))}
	for _, op := range c.classified() {
		r := class.Of(op, op.Effect)
		out.Operations = append(out.Operations, classOut{
			Operation: op.Method + " " + op.Path, ID: op.ID, Class: string(r.Class), How: r.How, By: r.By, Effect: string(op.Effect),
			Fidelity: string(fidelity.Expected(c.builtin, c.Model().Roles[op.Source()])),
		})
	}
	for _, one := range slices.Backward(class.All()) {
		n := 0
		for _, op := range out.Operations {
			if op.Class == string(one) {
				n++
			}
		}
		out.Classes = append(out.Classes, countOut{string(one), n})
	}
	if o.Output == "json" {
		return output.JSON(w, out)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CLASS\tOPERATION\tHOW\tBY\tEFFECT\tFIDELITY") // Flush tells what failed
	for _, op := range out.Operations {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", op.Class, op.Operation, op.How, dash(op.By), op.Effect, op.Fidelity)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	counted := make([]string, len(out.Classes))
	for i, one := range out.Classes {
		counted[i] = fmt.Sprintf("%d %s", one.Count, one.Class)
	}
	_, err = fmt.Fprintf(w, "\n%s: %s: %s\n", c.Service, words.Count(len(out.Operations), "operation"), strings.Join(counted, ", "))
	return err
}

// classified gives the operations, the highest class first, then by path.
func (c *inspected) classified() []*specs.Operation {
	all := slices.Clone(c.Operations)
	rank := func(op *specs.Operation) int { return class.Of(op, op.Effect).Class.Rank() }
	slices.SortStableFunc(all, func(a, b *specs.Operation) int { return cmp.Compare(rank(b), rank(a)) })
	return all
}
