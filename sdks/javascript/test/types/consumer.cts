// Never run: a CommonJS program sees the same types, and shares objects with an ES modules program.
import checkline = require("checkline");
import type { Checkline } from "checkline" with { "resolution-mode": "import" };

const client: Checkline = new checkline.Checkline({ apiKey: "ch_test_none" });
const failed: boolean = new checkline.QuotaError("A sentence.", { code: "A_CODE" }) instanceof checkline.ChecklineError;
void [client, failed];
