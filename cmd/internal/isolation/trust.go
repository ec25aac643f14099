package isolation

import (
	"os"
	"path/filepath"

	"parity/gateway/capture"
)

// bundles are where systems keep the roots that programs trust when nothing tells
// them otherwise: Debian and Alpine; Fedora; openSUSE; what OpenSSL is built for.
func bundles() []string {
	return []string{
		"/etc/ssl/certs/ca-certificates.crt",
		"/etc/pki/tls/certs/ca-bundle.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
		"/etc/ssl/ca-bundle.pem", "/var/lib/ca-certificates/ca-bundle.pem",
		"/etc/ssl/cert.pem", "/usr/lib/ssl/cert.pem", "/usr/local/share/certs/ca-root-nss.crt",
	}
}

// stores are where Java does.
func stores() []string {
	return []string{
		"/etc/ssl/certs/java/cacerts", "/etc/pki/java/cacerts", "/etc/pki/ca-trust/extracted/java/cacerts",
		"/usr/lib/jvm/*/lib/security/cacerts", "/usr/lib/jvm/*/jre/lib/security/cacerts", "/opt/java/*/lib/security/cacerts",
	}
}

// trusted are the files that are seen in the place of the system's own roots, so
// that a program without any settings trusts the gateway.
func trusted(env capture.Settings) (map[string]string, error) {
	lay := map[string]string{}
	for from, places := range map[string][]string{env.BundlePath: bundles(), env.TrustPath: stores()} {
		for _, pattern := range places {
			found, err := filepath.Glob(pattern)
			if err != nil {
				return nil, err
			}
			for _, place := range found {
				real, err := filepath.EvalSymlinks(place)
				if err != nil {
					continue // it leads nowhere
				}
				if info, err := os.Stat(real); err == nil && info.Mode().IsRegular() {
					lay[real] = from
				}
			}
		}
	}
	return lay, nil
}
