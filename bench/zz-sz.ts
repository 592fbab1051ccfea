import { encodePrefixTable } from "/tmp/w2/b19/scripts/data/encode.ts";
import { readResources } from "/tmp/w2/b19/scripts/data/resources.ts";
import { corrected } from "/tmp/w2/b19/scripts/data/corrections.ts";
const r = readResources("/work/shared/libphonenumber-9.0.35/resources");
for (const k of ["location", "carrier"] as const) console.log(k, encodePrefixTable(corrected(k, r), "9.0.35").length);
