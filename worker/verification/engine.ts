import type { VerificationResult } from "../../contract/verification.ts";
import carrier from "../phone/data/carrier.bin";
import location from "../phone/data/location.bin";
import plans from "../phone/data/plans.bin";
import timeZones from "../phone/data/time-zones.bin";
import { openTables } from "../phone/geography.ts";
import { openPlanTable } from "../phone/plan-table.ts";
import { createVerifier } from "../phone/verify.ts";

const tables = { plans: openPlanTable(plans), ...openTables({ carrier, location, timeZones }) };

/** Verifies one number inside this isolate, without any I/O. */
export const verifyNumber: (number: string, country?: string) => VerificationResult = createVerifier(tables);

/** Whether the numbering plans know this upper-case ISO 3166-1 alpha-2 code (or AC, TA, XK, which libphonenumber adds). */
export const isSupportedCountry = tables.plans.hasCountry;
