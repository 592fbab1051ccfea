import { packagePlans } from "../scripts/data/packages.ts";
import { encodePlanTable } from "../scripts/data/plan-table.ts";
import { engineWith } from "./engine.ts";

/**
 * The engine at the release of google-libphonenumber. Its results apply to the deployed one too: the code is the same,
 * and google-metadata.oracle.test.ts compares the two releases' plans.
 */

export const googleRelease = packagePlans("libphonenumber-js-of-google");

/** The plan table, compiled from libphonenumber-js of that release. */
export const plansOfRelease = new Uint8Array(encodePlanTable(googleRelease)).buffer;

export const { verify, plans, classify, formatNational, formatInternational } = engineWith(plansOfRelease);
