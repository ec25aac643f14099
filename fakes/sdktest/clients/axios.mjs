import axios from "axios";
const [url] = process.argv.slice(2);
console.log((await axios.get(url, { headers: { Authorization: "Bearer sk_test_1" } })).status);
