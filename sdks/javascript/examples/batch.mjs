import { Checkline, VerificationFailedError } from "checkline";

const checkline = new Checkline(); // The key is in CHECKLINE_API_KEY.

const numbers = [
  "+5511987654321",
  "+12025550109", // Always fails in the sandbox.
  "+442079460018",
];
const items = await checkline.lookupBatch(numbers);

for (const [index, item] of items.entries()) {
  if (item instanceof VerificationFailedError) {
    console.log(numbers[index], item.code);
  } else {
    console.log(numbers[index], item.valid ? (item.countryName ?? "no country") : item.reason);
  }
}
