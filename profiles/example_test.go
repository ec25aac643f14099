package profiles_test

import (
	"errors"
	"fmt"

	"parity/fakes/builtin"
	"parity/profiles"
)

// All that is wrong with a profile is said at once, each with its place.
func ExampleParse() {
	services, err := builtin.Catalogue()
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = profiles.Parse("refunds.yaml", []byte(`profile: refunds
services: {stripe: {}}
faults:
  lose-it:
    call: stripe POST /v1/refund
    inject: ambiguous-sucess
`), profiles.Options{Catalogue: services})
	var problems profiles.Problems
	if errors.As(err, &problems) {
		for _, p := range problems {
			fmt.Println(p)
		}
	}
	// Output:
	// refunds.yaml:5:11: "stripe POST /v1/refund" matches no operation; did you mean stripe POST /v1/refunds
	// refunds.yaml:6:13: there is no fault "ambiguous-sucess"; did you mean ambiguous-success
}
