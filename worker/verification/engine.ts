import type { VerificationResult } from "../../contract/verification.ts";
import carrier from "../phone/data/carrier.jsonl";
import location from "../phone/data/location.jsonl";
import plans from "../phone/data/plans.bin";
import timeZones from "../phone/data/time-zones.jsonl";
import { openTables } from "../phone/geography.ts";
import { openPlanTable } from "../phone/plan-table.ts";
import { createVerifier } from "../phone/verify.ts";

const tables = { plans: openPlanTable(plans), ...openTables({ carrier, location, timeZones }) };

/** Verifies one number within this isolate, without I/O. */
export const verifyNumber: (number: string, country?: string) => VerificationResult = createVerifier(tables);

/**
 * Whether there is a numbering plan for this uppercase ISO 3166-1 alpha-2 code (or AC, TA, XK, which libphonenumber
 * adds).
 */
export const isSupportedCountry = tables.plans.hasCountry;
