import { Checkline, ChecklineError } from "checkline";

const checkline = new Checkline(); // The key is in CHECKLINE_API_KEY.

try {
  const result = await checkline.lookup("+5511987654321");
  const { valid, countryName, carrier, lineType } = result;
  console.log([valid, countryName, carrier, lineType].join(" "));
} catch (error) {
  if (!(error instanceof ChecklineError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
