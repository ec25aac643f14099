package author

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"parity/cmd/internal/output"
	"parity/faults/trail"
	"parity/gateway/kept"
	"parity/specs/words"
)

// Coverage is which run to look at, and how to say it.
type Coverage struct {
	Root   string // of the store; "" for the usual
	Run    string
	All    bool   // operations that were not called, too
	Output string // text or json
}

// covered is what a run did to one service's contract.
type covered struct {
	Service    string             `json:"service"`
	Operations int                `json:"operations"` // of the contract
	Called     int                `json:"called"`
	Calls      int                `json:"calls"`
	Unknown    int                `json:"unknown"` // calls that no operation is for
	Detail     []coveredOperation `json:"detail"`

	known map[string]*coveredOperation
}

// coveredOperation is what a run did with one operation.
type coveredOperation struct {
	Operation string      `json:"operation"`
	Calls     int         `json:"calls"`
	Broken    int         `json:"broken"` // calls that broke the contract
	Statuses  map[int]int `json:"statuses,omitempty"`
}

// CoverContracts says which operations of its contracts a run has called. What
// counts is the contract that was in force when the service was last called.
func CoverContracts(w io.Writer, o Coverage) error {
	if err := output.TextOrJSON(o.Output); err != nil {
		return err
	}
	k, err := kept.Read(o.Root, o.Run)
	if err != nil {
		return err
	}
	services := map[string]*covered{}
	for i := range k.Events {
		if x := k.Events[i].Exchange; x != nil && k.Events[i].Kind == trail.Exchanged && x.Service != "" {
			cover(services, x)
		}
	}
	for i := len(k.Events) - 1; i >= 0; i-- {
		x := k.Events[i].Exchange
		if x == nil || services[x.Service] == nil || services[x.Service].Operations > 0 {
			continue
		}
		if s, ok := k.Service(k.Events[i].Revision, x.Service); ok {
			for _, op := range s.Contract.Operations {
				services[x.Service].operation(op.Method + " " + op.Path)
			}
			services[x.Service].Operations = len(s.Contract.Operations)
		}
	}
	all := make([]*covered, 0, len(services))
	for _, name := range slices.Sorted(maps.Keys(services)) {
		all = append(all, services[name].sum(o.All))
	}
	if o.Output == "json" {
		return output.JSON(w, all)
	}
	if len(all) == 0 {
		_, err := fmt.Fprintf(w, "run %s has called no service\n", k.ID)
		return err
	}
	for _, c := range all {
		if err := c.print(w, o.All); err != nil {
			return err
		}
	}
	return nil
}

func cover(services map[string]*covered, x *trail.Exchange) {
	c := services[x.Service]
	if c == nil {
		c = &covered{Service: x.Service, known: map[string]*coveredOperation{}}
		services[x.Service] = c
	}
	c.Calls++
	if x.Operation == "" {
		c.Unknown++
		return
	}
	op := c.operation(x.Operation)
	op.Calls++
	if len(x.Violations) > 0 {
		op.Broken++
	}
	op.Statuses[x.Status]++
}

func (c *covered) operation(name string) *coveredOperation {
	op := c.known[name]
	if op == nil {
		op = &coveredOperation{Operation: name, Statuses: map[int]int{}}
		c.known[name] = op
	}
	return op
}

func (c *covered) sum(all bool) *covered {
	c.Detail = []coveredOperation{}
	for _, op := range c.known {
		if op.Calls > 0 {
			c.Called++
		}
		if op.Calls > 0 || all {
			c.Detail = append(c.Detail, *op)
		}
	}
	slices.SortFunc(c.Detail, func(a, b coveredOperation) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Operation, b.Operation))
	})
	return c
}

func (c *covered) print(w io.Writer, all bool) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s: %d of %s called, %s\n", c.Service, c.Called, words.Count(c.Operations, "operation"), words.Count(c.Calls, "call"))
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, op := range c.Detail {
		calls := "not called"
		if op.Calls > 0 {
			calls = words.Count(op.Calls, "call")
		}
		var statuses []string
		for _, status := range slices.Sorted(maps.Keys(op.Statuses)) {
			statuses = append(statuses, fmt.Sprintf("%d×%d", op.Statuses[status], status))
		}
		broken := ""
		if op.Broken > 0 {
			broken = fmt.Sprintf("\t%d against the contract", op.Broken)
		}
		fmt.Fprintf(table, "  %s\t%s\t%s%s\n", op.Operation, calls, strings.Join(statuses, " "), broken)
	}
	if err := table.Flush(); err != nil { // a buffer takes everything
		return err
	}
	if c.Unknown > 0 {
		fmt.Fprintf(&out, "  %s that no operation is for\n", words.Count(c.Unknown, "call"))
	}
	if rest := c.Operations - c.Called; rest > 0 && !all {
		fmt.Fprintf(&out, "  %d not called; --all lists them\n", rest)
	}
	_, err := w.Write(out.Bytes())
	return err
}
