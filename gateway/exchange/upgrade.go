package exchange

import (
	"net/http"

	"parity/fakes"
)

// upgrades tells whether the reply has the client's connection go on as a
// websocket. One that a rule has put in its place does not.
func (x *Exchange) upgrades() bool {
	_, socketed := x.service.Fake.(fakes.Socketed)
	return x.reply.Socket != "" && x.reply.Status == http.StatusOK && socketed && x.run.Sockets != nil
}

// upgrade opens the websocket. A client that has not asked for one is told so in
// the words of its protocol. The exchange ends here, and the connection goes on.
func (x *Exchange) upgrade() {
	x.head(x.w.Header()).Del("Content-Type")
	fake, _ := x.service.Fake.(fakes.Socketed)
	if err := x.run.Sockets.Accept(x.w, x.r, x.service.Name, fake, x.reply); err != nil {
		x.settlement.Error = x.loggable(err.Error())
	}
}
