package specs

import (
	_ "embed" // the compiler asks for it beside go:embed
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"parity/specs/document"
)

//go:generate go test -run ^TestShippedContractsArePacked$ . -update

// shipped holds the contracts that ship with Parity, one folder a service, as
// document.Pack writes them: read as YAML, they were half of what a start took,
// and nearly all of what it allocated. For each, its service's name and the
// document, each after its length.
//
//go:embed shipped.packed
var shipped string

// Builtin gives the shipped contract of a service, such as "stripe".
func Builtin(service string) (*Contract, error) {
	for name, packed := range shippedDocuments {
		if name != service {
			continue
		}
		doc, err := document.Unpack(packed)
		if err != nil {
			return nil, fmt.Errorf("contract of %s: %w", service, err)
		}
		contract, _, err := contractOf(doc, service, true) // TestShippedContractsSayWhatIsWritten reads all of it
		return contract, err
	}
	return nil, fmt.Errorf("no contract is shipped for service %q; use one of %s", service, strings.Join(Services(), ", "))
}

// These are shipped too, and are no services.
const (
	control = "parity"   // Parity's own control plane
	example = "acme-crm" // the worked example of package generic
)

// Services lists the services that have a shipped contract, in order.
func Services() []string {
	var services []string
	for service := range shippedDocuments {
		if service != control && service != example {
			services = append(services, service)
		}
	}
	slices.Sort(services)
	return services
}

// shippedDocuments goes through the packed documents, by service.
func shippedDocuments(yield func(service, packed string) bool) {
	rest := shipped
	next := func() string {
		size, n := binary.Uvarint([]byte(rest[:min(len(rest), binary.MaxVarintLen32)]))
		text := rest[n : n+int(size)] // as it was written
		rest = rest[n+int(size):]
		return text
	}
	for rest != "" {
		if service := next(); !yield(service, next()) {
			return
		}
	}
}
