import type { VerificationResult } from "../../contract/verification.ts";
import { openRegisters } from "../phone/allocation.ts";
import ca from "../phone/data/allocation-ca.jsonl";
import fr from "../phone/data/allocation-fr.jsonl";
import gb from "../phone/data/allocation-gb.jsonl";
import mx from "../phone/data/allocation-mx.jsonl";
import ru from "../phone/data/allocation-ru.jsonl";
import us from "../phone/data/allocation-us.jsonl";
import carrier from "../phone/data/carrier.jsonl";
import location from "../phone/data/location.jsonl";
import plans from "../phone/data/plans.bin";
import timeZones from "../phone/data/time-zones.jsonl";
import { openTables } from "../phone/geography.ts";
import { openPlanTable } from "../phone/plan-table.ts";
import { createVerifier } from "../phone/verify.ts";

const tables = {
  plans: openPlanTable(plans),
  ...openTables({ carrier, location, timeZones }),
  registers: openRegisters({ US: us, CA: ca, MX: mx, FR: fr, GB: gb, RU: ru }),
};

/** Verifies one number within this isolate, without I/O: `createVerifier` with the deployed tables. */
export const verifyNumber: (number: string, country: string | undefined, day: string) => VerificationResult =
  createVerifier(tables);
