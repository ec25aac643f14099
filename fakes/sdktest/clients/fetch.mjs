const [url] = process.argv.slice(2);
console.log((await fetch(url, { headers: { Authorization: "Bearer sk_test_1" } })).status);
