package connection

import (
	"fmt"
	"io"

	"parity/gateway"
	"parity/gateway/ingress"
)

// ShowCA prints where the certificate authority is, and how each common client
// trusts it. It makes the CA if there is none.
func ShowCA(w io.Writer, getenv func(string) string) error {
	ca, err := openCA(getenv)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, `Certificate  %[1]s
Expires      %[2]s
The key beside it never leaves that folder. "parity run" and "parity env" set all
of this up by themselves; by hand:

  Node         NODE_EXTRA_CA_CERTS=%[1]s
  Go           SSL_CERT_FILE=BUNDLE
  Python       SSL_CERT_FILE=BUNDLE REQUESTS_CA_BUNDLE=BUNDLE
  curl         curl --cacert %[1]s, or CURL_CA_BUNDLE=BUNDLE
  git          GIT_SSL_CAINFO=BUNDLE
  Deno         DENO_CERT=%[1]s
  AWS CLI      AWS_CA_BUNDLE=BUNDLE
  pip          PIP_CERT=BUNDLE
  Java         keytool -importcert -noprompt -alias parity -file %[1]s -keystore trust.p12 -storepass changeit
               java -Djavax.net.ssl.trustStore=trust.p12 -Djavax.net.ssl.trustStorePassword=changeit
  Debian       cp %[1]s /usr/local/share/ca-certificates/parity.crt && update-ca-certificates

BUNDLE is a file with the system's roots and this certificate, since these
variables replace what a client trusts instead of adding to it:

  cat /etc/ssl/certs/ca-certificates.crt %[1]s > bundle.pem
`, ca.Path(), ca.Expires().Format("2 January 2006"))
	return err
}

// ExportCA prints the certificate as PEM.
func ExportCA(w io.Writer, getenv func(string) string) error {
	ca, err := openCA(getenv)
	if err != nil {
		return err
	}
	_, err = w.Write(ca.CertPEM())
	return err
}

func openCA(getenv func(string) string) (*ingress.CA, error) {
	return ingress.OpenCA(ingress.CAOptions{Dir: gateway.CAFolder(getenv)})
}
