package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/spf13/cobra"

	"parity/cmd/internal/rehearsal"
	"parity/cmd/parity/shop"
)

func demoCommand(c console) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Watch two small agents meet the same lost charge",
		Long: `Demo runs two agents, one after the other, against a payment whose reply is lost
after the charge went through. Each is a program of its own that calls
https://api.stripe.com and knows nothing of Parity. The naive one charges twice;
the careful one looks first.`,
		Args: alone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			return rehearsal.Demo(cmd.Context(), rehearsal.Demonstration{
				Agent:   func(kind string) []string { return []string{self, "demo-agent", kind} },
				Root:    c.getenv("PARITY_DIR"),
				Getenv:  c.getenv,
				Environ: c.environ(), Stdout: c.stdout, Log: c.logTo(0), Colour: c.colour(c.stdout),
			})
		},
	}
}

// demoAgentCommand is the agents of the demo, as programs.
func demoAgentCommand(c console) *cobra.Command {
	return &cobra.Command{
		Use:    "demo-agent naive|careful",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			agent := shop.Agent{Client: http.DefaultClient, Key: "sk_test_demo1234567890", Log: c.stdout}
			order := shop.Order{ID: "1001", Customer: "ada@example.com", Amount: 4900}
			act := map[string]func(context.Context, shop.Order) error{"naive": agent.Naive, "careful": agent.Careful}[args[0]]
			if act == nil {
				return fmt.Errorf("there is no demo agent %q", args[0])
			}
			if err := act(cmd.Context(), order); err != nil {
				fmt.Fprintln(c.stderr, err)
				return exitCode(1)
			}
			return nil
		},
	}
}
