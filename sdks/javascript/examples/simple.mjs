import { Checkline } from "checkline";

const checkline = new Checkline(); // The key is in CHECKLINE_API_KEY.

const { valid, carrier } = await checkline.verify("+5511987654321");
console.log(valid ? `valid, ${carrier ?? "unknown carrier"}` : "not valid");
