import { Checkline } from "checkline";

export const KEY = "ch_test_AKeyOfTheUnitTestsAndOfNoAccount0123";
export const RESULT = { valid: true, number: "+5511987654321", country_name: "Brazil", carrier: "TIM" };

/** A response of the service. */
export function answer(status = 200, body = RESULT, headers = {}) {
  return () => Response.json(body, { status, headers });
}

/** An error response of the service. */
export function rejection(status, headers = {}) {
  return answer(status, { error: "A sentence.", code: "A_CODE" }, headers);
}

/**
 * A client whose requests get these responses, one after another, repeating the last. A response is a function that
 * returns or throws like fetch. `requests` records them.
 */
export function clientOf(answers, options = {}) {
  const requests = [];
  async function fetch(url, init) {
    requests.push({ url, ...init });
    return answers[Math.min(requests.length, answers.length) - 1](init);
  }
  return { checkline: new Checkline({ apiKey: KEY, baseUrl: "http://127.0.0.1:1", fetch, ...options }), requests };
}

/** Makes all of the test's timers fire immediately, and returns their delays in milliseconds. */
export function skipWaiting(t) {
  const waits = [];
  const { setTimeout } = globalThis;
  t.mock.method(globalThis, "setTimeout", (callback, ms) => {
    waits.push(ms);
    // Attempts keep their timeout, and streams their longer one; it is cleared when they end.
    return setTimeout(callback, ms === 10_000 || ms === 20_000 ? ms : 0);
  });
  return waits;
}
