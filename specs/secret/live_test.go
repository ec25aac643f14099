package secret_test

import (
	"testing"

	"parity/specs/secret"
)

func TestLiveKeysAreToldFromTestKeys(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"key: sk_live_4eC39HqLyjWDarjtT1zdp7dc": "sk_live_", "ghp_16C7e42F292c6912E7710c838347Ae178B4a": "ghp_", `"xoxb-17653672481-19874698323"`: "xoxb-",
		"key: sk_test_4eC39HqLyjWDarjtT1zdp7dc": "", "ghp_tester0123456789ab": "", "sk-live": "", "whsec_example4eC39HqLyjWDarjtT1": "", "sk_live_": "", "disk-16C7e42F292c6912E7710": "",
	} {
		if got := secret.Live(text); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
