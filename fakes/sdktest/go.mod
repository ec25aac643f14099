module parity/fakes/sdktest

go 1.26

require github.com/stripe/stripe-go/v84 v84.4.1
