import type { VerificationResult } from "../../contract/verification.ts";
import response from "./samples/response.json";

/** A number that anyone may call or test with, and the engine's result for it. */
interface Specimen {
  /** Whose number it is. */
  readonly owner: string;
  readonly result: VerificationResult;
}

/** The drawings' numbers; specimens.test.ts checks the results. */
export const SPECIMENS = {
  BR: { owner: "Sandbox number", result: response as VerificationResult },
  US: {
    owner: "Directory assistance in Washington",
    result: {
      valid: true,
      number: "+12025551212",
      local_format: "(202) 555-1212",
      international_format: "+1 202 555 1212",
      country_prefix: "+1",
      country_code: "US",
      country_name: "United States",
      location: "Washington D.C.",
      carrier: null,
      line_type: null,
      number_type: "fixed_line_or_mobile",
      extension: null,
      possible: true,
      reason: null,
      suggestion: null,
      short_code: null,
      time_zones: ["America/New_York"],
      carrier_source: "original_allocation",
      number_portability: true,
      deliverability: { sms: "unknown", voice: "likely", flags: [] },
      reachability: "not_checked",
      accepted: null,
      rejected_because: null,
    },
  },
  GB: {
    owner: "Ofcom, the UK’s regulator",
    result: {
      valid: true,
      number: "+442079813000",
      local_format: "020 7981 3000",
      international_format: "+44 20 7981 3000",
      country_prefix: "+44",
      country_code: "GB",
      country_name: "United Kingdom",
      location: "London",
      carrier: null,
      line_type: "fixed",
      number_type: "fixed_line",
      extension: null,
      possible: true,
      reason: null,
      suggestion: null,
      short_code: null,
      time_zones: ["Europe/London"],
      carrier_source: "original_allocation",
      number_portability: true,
      deliverability: { sms: "unlikely", voice: "likely", flags: [] },
      reachability: "not_checked",
      accepted: null,
      rejected_because: null,
    },
  },
} as const satisfies Record<string, Specimen>;
