import { Checkline } from "checkline";

const checkline = new Checkline(); // The key is in CHECKLINE_API_KEY.
const quota = await checkline.quota();

console.log(quota.plan, quota.used, quota.remaining ?? "unlimited");
