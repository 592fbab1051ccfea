const STATUS = { 400: 3, 401: 4, 402: 9, 403: 4, 429: 1 };
const LINE = { mobile: "mobile", fixed: "landline", voip: "virtual" };
const SPECIAL = { toll_free: "landline_tollfree", premium_rate: "landline_premium", pager: "pager" };
const CALLER = ["caller_identity", "caller_name", "caller_type", "first_name", "last_name"];
const PRICES = ["request_price", "refund_price", "remaining_balance"];
const UNKNOWN = { ported: "unknown", reachable: "unknown", valid_number: "unknown", network_code: "unknown" };
UNKNOWN.roaming = { status: "unknown" };
UNKNOWN.current_carrier = { network_code: "unknown", network_type: "unknown" };

/** Reading what Checkline can't tell throws. A lenient caller gets Number Insight's "unknown", where it has one. */
function leaveOut(response, names, lenient) {
  for (const name of names) {
    const get = () => {
      if (lenient) return UNKNOWN[name];
      throw new Error(`Checkline can't tell ${name}.`);
    };
    Object.defineProperty(response, name, { get, enumerable: lenient && name in UNKNOWN });
  }
}

/** What /ni/{level}/json returned: level is "basic", "standard", or "advanced". */
export async function numberInsight(level, number, { country, lenient = false } = {}) {
  const answer = await fetch("https://checkline.example/api/v1/verify", {
    method: "POST",
    headers: { Authorization: `Bearer ${process.env.CHECKLINE_API_KEY}`, "Content-Type": "application/json" },
    body: JSON.stringify({ number: country ? number : `+${number.replace(/\D/g, "")}`, country }),
    signal: AbortSignal.timeout(10_000),
  });
  const result = await answer.json();
  const request_id = answer.headers.get("X-Request-Id");
  if (!answer.ok) return { status: STATUS[answer.status] ?? 5, status_message: result.error, request_id };
  if (!result.valid) return { status: 3, status_message: `Invalid number: ${result.reason}`, request_id };
  const { country_code, country_name, carrier, line_type, number_type } = result;
  const response = { status: 0, status_message: "Success", request_id, country_code, country_name };
  response.country_prefix = result.country_prefix.slice(1);
  response.international_format_number = result.number.slice(1);
  response.national_format_number = result.local_format;
  leaveOut(response, ["country_code_iso3"], lenient);
  if (level === "basic") return response;
  const network_type = LINE[line_type] ?? SPECIAL[number_type] ?? "unknown";
  response.original_carrier = { name: carrier, country: country_code, network_type };
  leaveOut(response.original_carrier, ["network_code"], lenient);
  leaveOut(response, ["current_carrier", "ported", "roaming", ...CALLER, ...PRICES], lenient);
  if (level === "standard") return response;
  Object.assign(response, { lookup_outcome: 1, lookup_outcome_message: "Partial success - some fields populated" });
  leaveOut(response, ["valid_number", "reachable", "ip_warnings", "error_text"], lenient);
  return response;
}
