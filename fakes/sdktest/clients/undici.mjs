import { request } from "undici";
const [url] = process.argv.slice(2);
const { statusCode, body } = await request(url, { headers: { Authorization: "Bearer sk_test_1" } });
await body.text();
console.log(statusCode);
