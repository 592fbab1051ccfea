const response = await fetch("https://checkline.example/api/v1/verify", {
  method: "POST",
  headers: {
    Authorization: `Bearer ${process.env.CHECKLINE_API_KEY}`,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({ number: "+5511987654321" }),
  signal: AbortSignal.timeout(10_000),
});
const result = await response.json();

if (!response.ok) {
  throw new Error(`${result.code}: ${result.error}`);
}

const { valid, country_name, carrier, line_type } = result;
console.log([valid, country_name, carrier, line_type].join(" "));
