package main

import (
	"cmp"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parity/cmd/internal/mirrors"
	"parity/fakes/clock"
	"parity/gateway"
)

func mirrorImportCommand(c console) *cobra.Command {
	i := mirrors.Import{Getenv: c.getenv, Wall: clock.System{}}
	var upstream bool
	cmd := &cobra.Command{
		Use:   "import SERVICE",
		Short: "Make a mirror of a service from a recording, from samples, or from the service itself",
		Long: `Import writes a mirror of a service, one way: nothing but reads ever leaves.

--from FILE.har          what a browser, a proxy or a test tool has recorded; a
                         conversation, as mode record writes it, is read too
--from FOLDER            samples: a reply of the service in each file, named by the
                         path of its address: v1/customers.json is the reply to
                         GET /v1/customers
--upstream               the service itself: the lists of its contract, page by page
                         and in turn, then what their records refer to, and what
                         stands beneath them

Emails, phone numbers, names of people, lines of addresses, numbers of accounts and
cards, days of birth and IP addresses have pseudonyms: valid ones, equal for equal
values in fields, texts and addresses, so that references fit. Credentials have
marks; cookies and headers that show who asked are left out. The key of the
pseudonyms is drawn anew and kept nowhere; with --key-file they, and the sample, are
the same each night. At the end it says what it took, left out and replaced.

The credential is read from a variable or a 0600 file, or is that of the profile's
services.SERVICE.upstream, and so are hosts and certificates. Where the service
fails midway nothing is written, and it ends with 2.`,
		Example: `  parity mirror import stripe --from session.har
  parity mirror import acme-crm --from samples/ --contract specs/acme-crm/openapi.yaml
  parity mirror import zendesk --upstream --host acme.zendesk.com --credential-env ZENDESK_READ --sample 5% --max 500 -o mirrors/zendesk.json`,
		Args: one("service"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if upstream == (len(i.From) > 0) {
				return &gateway.UsageError{Err: errors.New("say what the mirror is made of: --from FILE, or --upstream")}
			}
			i.Service = args[0]
			i.Out = cmp.Or(i.Out, filepath.Join("mirrors", i.Service+".json"))
			return i.Run(cmd.Context(), c.stdout)
		},
	}
	mirrorImportFlags(cmd.Flags(), &i)
	cmd.Flags().BoolVar(&upstream, "upstream", false, "read the service itself")
	return cmd
}

// mirrorImportFlags are those that say what is taken, and how.
func mirrorImportFlags(flags *pflag.FlagSet, i *mirrors.Import) {
	flags.StringArrayVar(&i.From, "from", nil, "a HAR file, a conversation, or a folder of samples; may be repeated")
	flags.StringVar(&i.Contract, "contract", "", "the service's OpenAPI document, where the service does not ship")
	flags.VarP((*layers)(&i.Profile), "profile", "p", "a profile that binds the service, or says how it is reached")
	flags.StringVar(&i.Share, "sample", "100%", "share of the records of each collection")
	flags.IntVar(&i.Most, "max", 0, "records that are drawn at most, of all collections; 0: any number")
	flags.StringArrayVar(&i.Collections, "collection", nil, "with --upstream: a collection that is read, such as tickets; may be repeated (default all)")
	flags.StringArrayVar(&i.Lists, "list", nil, "with --upstream: the address of a list that is read, such as /crm/v3/objects/contacts, instead of all; may be repeated")
	flags.IntVar(&i.Calls, "calls", 2000, "with --upstream: calls that go out at most")
	flags.StringArrayVar(&i.Hosts, "host", nil, "a host of the service, or host:port; may be repeated")
	flags.StringArrayVar(&i.Headers, "header", nil, "with --upstream: a header that the contract has, such as 'Notion-Version: 2022-06-28'; may be repeated")
	flags.StringVar(&i.Env, "credential-env", "", "the variable that holds a credential which may read")
	flags.StringVar(&i.File, "credential-file", "", "the file that holds it, which nobody but its owner may read")
	flags.StringVar(&i.Roots, "roots", "", "a file of certificates that are trusted besides the system's, in PEM")
	flags.StringVar(&i.Keys, "key-file", "", "a 0600 file with the key of the pseudonyms, for the same ones each time")
	flags.StringVarP(&i.Out, "output", "o", "", "the mirror's file (default mirrors/SERVICE.json)")
	flags.BoolVar(&i.Force, "force", false, "write over a file that is there")
	flags.BoolVar(&i.Partial, "partial", false, "write what there is where the service fails midway")
}
