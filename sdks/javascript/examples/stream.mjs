import { Checkline } from "checkline";

const checkline = new Checkline(); // The key is in CHECKLINE_API_KEY.

async function* numbers() {
  yield "+5511987654321";
  yield { number: "020 7946 0018", country: "GB" };
  yield "+12025550109";
}

for await (const item of checkline.lookupStream(numbers())) {
  console.log(item instanceof Error ? item.code : item.valid ? item.number : item.reason);
}
