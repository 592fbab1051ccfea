const url = "https://checkline.example/api/v1/countries/GM";
const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
const body = await response.json();

if (!response.ok) throw new Error(`${body.code}: ${body.error}`);
console.log(body);
