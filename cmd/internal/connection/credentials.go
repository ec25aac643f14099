package connection

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"parity/gateway/client"
)

// ListCredentials writes what the identities of a run present, and whether it is in
// force; the credentials themselves only where they are asked for.
func ListCredentials(ctx context.Context, w io.Writer, c *client.Client, run string, values bool) error {
	all, err := c.Credentials(ctx, run, values)
	if err != nil {
		return err
	}
	return printCredentials(w, run, all, values)
}

// ChangeCredentials has credentials of an identity be revoked, rotated or expired, and
// writes how they stand then.
func ChangeCredentials(ctx context.Context, w io.Writer, c *client.Client, run, identity, what string, change client.CredentialChange, values bool) error {
	all, err := c.ChangeCredentials(ctx, run, identity, what, change)
	if err == nil && values {
		all, err = c.Credentials(ctx, run, true)
		all = slices.DeleteFunc(all, func(one client.Credential) bool { return one.Identity != identity })
	}
	if err != nil {
		return err
	}
	return printCredentials(w, run, all, values)
}

func printCredentials(w io.Writer, run string, all []client.Credential, values bool) error {
	if len(all) == 0 {
		_, err := fmt.Fprintf(w, "no identity of run %s presents a credential; a profile says so with identities: {NAME: {presents: {minted: {stripe: STRIPE_API_KEY}}}}\n", run)
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "IDENTITY\tSERVICE\tVARIABLE\tSTATE")
	if values {
		fmt.Fprint(table, "\tVALUE")
	}
	fmt.Fprintln(table)
	for _, c := range all {
		state := c.State
		if !c.Until.IsZero() {
			state += ", the one before until " + c.Until.Format(time.RFC3339)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s", c.Identity, c.Service, orNone(c.Variable), state)
		if values {
			fmt.Fprint(table, "\t"+orNone(c.Value))
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}

// orNone is a text, or what stands for none in a table.
func orNone(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
