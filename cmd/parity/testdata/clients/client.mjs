// node client.mjs WAY NAME: one call by a way that Node programs take.
import https from 'node:https'
import tls from 'node:tls'

const [way, name] = process.argv.slice(2)
const host = 'api.shop.invalid', path = '/things/' + name
if (way === 'fetch') {
  console.log((await fetch('https://' + host + path)).status)
} else if (way === 'https') {
  https.get({ host, path }, reply => console.log(reply.resume().statusCode))
} else {
  const socket = tls.connect({ host, port: 443, servername: host }, () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))
  socket.on('data', data => console.log(String(data)))
}
