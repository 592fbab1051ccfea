import { Checkline } from "checkline";

const checkline = new Checkline(); // The key is in CHECKLINE_API_KEY.

// Store it with the job, so a rerun counts once.
const idempotencyKey = "7c1d5c0e-6f0f-4a53-9d53-3a1f3b8f2f0e";
const options = { idempotencyKey };
const result = await checkline.lookup("+5511987654321", options);

console.log(result.countryName);
