package capture_test

import (
	"context"
	"fmt"
	"os"

	"parity/gateway/capture"
)

func ExampleSettings_Notes() {
	settings := capture.Settings{ProxyURL: "http://r1:token@127.0.0.1:8080"}
	for _, note := range settings.Notes([]string{"NO_PROXY=localhost,api.stripe.com"}) {
		fmt.Println(note)
	}
	// Output:
	// NO_PROXY is replaced for the agent, without api.stripe.com: what it exempts would never reach the gateway; name hosts to let through with --allow
}

func ExampleStart() {
	code, err := capture.Start(context.Background(), capture.Command{
		Args: []string{"sh", "-c", "echo hello; exit 7"}, Stdout: os.Stdout, Stderr: os.Stderr,
	})
	fmt.Println(code, err)
	// Output:
	// hello
	// 7 <nil>
}
