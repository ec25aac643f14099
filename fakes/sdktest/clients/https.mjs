import http from "node:http";
import https from "node:https";
const [url] = process.argv.slice(2);
const { get } = url.startsWith("https:") ? https : http;
get(url, { headers: { Authorization: "Bearer sk_test_1" } }, (reply) => {
  console.log(reply.statusCode);
  reply.resume();
});
