import type * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { Account, SessionResponse, SessionsResponse } from "../../contract/accounts.ts";
import type { CreatedKey, KeysResponse } from "../../contract/keys.ts";
import type { UsageReport } from "../../contract/reports.ts";
import type { Subscription } from "../../contract/subscriptions.ts";
import { startWorker } from "../harness.ts";
import { tokenIn, waitForMail } from "../mailbox.ts";
import { post, send } from "../requests.ts";
import { everyKvEntry, everyRow } from "../stored.ts";

const worker = startWorker();

const EMAIL = "grace@example.com";
const FIRST_PASSWORD = "first password";
const SECOND_PASSWORD = "second password";
const THIRD_PASSWORD = "third password";

/** Responses have one of these forms; a field of another one is undefined, and the test fails. */
type Body = v.InferOutput<typeof SessionResponse> &
  v.InferOutput<typeof SessionsResponse> &
  Account &
  v.InferOutput<typeof CreatedKey> &
  v.InferOutput<typeof KeysResponse> &
  Subscription &
  UsageReport;

async function call(path: string, init?: RequestInit): Promise<{ status: number; body: Body }> {
  const response = await worker.fetch(path, init);
  const text = await response.text();
  return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Body };
}

async function signIn(password: string) {
  return call("/api/v1/auth/login", post(null, { email: EMAIL, password }));
}

/** Polls until the response is as expected: usage arrives through a queue. */
async function eventually(ask: () => Promise<object>, expected: object): Promise<void> {
  await expect.poll(ask, { timeout: 20_000, interval: 200 }).toMatchObject(expected);
}

async function everythingStored(): Promise<string> {
  return (await everyRow(worker)) + (await everyKvEntry(worker));
}

describe("a developer", () => {
  let token = "";
  let userId = "";
  const keys = { test: "", live: "" };

  test("registers, reads the email, and verifies the address", async () => {
    const registered = await call(
      "/api/v1/users/register",
      post(null, { name: "Grace Hopper", email: " Grace@Example.com ", password: FIRST_PASSWORD }),
    );
    expect(registered).toStrictEqual({
      status: 201,
      body: { message: "Check your email to activate your account." },
    });
    const mail = await waitForMail(worker, EMAIL, /verify/i);
    expect(mail.text).toContain("https://checkline.test/verify-account?token=");
    const path = `/api/v1/users/verify?token=${tokenIn(mail)}`;
    expect((await call(path)).status).toBe(200);
    expect(await call(path)).toMatchObject({ status: 400, body: { code: "TOKEN_INVALID" } });
  });

  test("logs in and sees the account", async () => {
    const session = await signIn(FIRST_PASSWORD);
    expect(session.status).toBe(200);
    token = session.body.token;
    const days = (Date.parse(session.body.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    const me = await call("/api/v1/account/me", send("GET", token));
    expect(me.body).toMatchObject({ name: "Grace Hopper", email: EMAIL, is_verified: true });
    userId = me.body.id;
  });

  test("can't generate a key before the trial, starts it once, and then can", async () => {
    const rejected = await call("/api/v1/account/api-keys", post(token, { mode: "live" }));
    expect(rejected).toMatchObject({ status: 403, body: { code: "SUBSCRIPTION_REQUIRED" } });

    const before = await call("/api/v1/account/subscription", send("GET", token));
    expect(before.body).toMatchObject({ status: "none", plan: null, trial_available: true });
    const trial = await call("/api/v1/account/subscriptions/trial", send("POST", token));
    expect(trial).toMatchObject({ status: 201, body: { status: "active", plan: "trial", trial_available: false } });
    expect(trial.body.quota).toStrictEqual({ limit: 1000, used: 0, remaining: 1000 });
    const again = await call("/api/v1/account/subscriptions/trial", send("POST", token));
    expect(again).toMatchObject({ status: 409, body: { code: "TRIAL_ALREADY_USED" } });

    for (const mode of ["test", "live"] as const) {
      const created = await call("/api/v1/account/api-keys", post(token, { mode, name: `My ${mode} key` }));
      expect(created).toMatchObject({ status: 201, body: { mode, name: `My ${mode} key` } });
      keys[mode] = created.body.api_key;
      expect(keys[mode]).toMatch(new RegExp(`^ch_${mode}_`));
      expect(created.body.hint).toBe(keys[mode].slice(-4));
    }
    const mail = await waitForMail(worker, EMAIL, /live/i);
    expect(mail.text).toContain("My live key");
    expect(mail.text).not.toContain(keys.live);
  });

  test("verifies numbers with both keys and sees them counted", async () => {
    for (const number of ["+5511987654321", "+5511912345678", "+442083661177", "+1202"]) {
      expect((await call("/api/v1/verify", post(keys.live, { number }))).status).toBe(200);
    }
    await call("/api/v1/verify/batch", post(keys.live, { numbers: ["+33612345678", "nothing"] }));
    await call("/api/v1/verify", post(keys.test, { number: "+12025550123" }));
    await call("/api/v1/verify", post(keys.test, { number: "+12025550113" }));
    const notCounted = [
      call("/api/v1/verify", post(keys.live, { number: "" })),
      call("/api/v1/verify", post(keys.live, "{")),
      call("/api/v1/verify", post(`${keys.live}x`, { number: "+12025550123" })),
    ];
    await Promise.all(notCounted);

    const summary = (mode: string) => async () =>
      (await call(`/api/v1/account/reports/summary${mode}`, send("GET", token))).body;
    await eventually(summary("?mode=live"), {
      total_verifications: 6,
      successful_verifications: 4,
      top_countries: [
        { country_code: "BR", count: 2 },
        { country_code: "FR", count: 1 },
        { country_code: "GB", count: 1 },
      ],
      countries: 3,
      month_over_month: null,
    });
    await eventually(summary("?mode=test"), { total_verifications: 2, successful_verifications: 1 });
    await eventually(summary(""), { total_verifications: 8, successful_verifications: 5 });

    const subscription = await call("/api/v1/account/subscription", send("GET", token));
    expect(subscription.body.quota).toStrictEqual({ limit: 1000, used: 4, remaining: 996 });
    const listed = await call("/api/v1/account/api-keys", send("GET", token));
    for (const key of listed.body.keys) expect(Date.parse(key.last_used_at ?? "")).toBeGreaterThan(0);
    expect(JSON.stringify(listed.body)).not.toContain(keys.live);
  });

  test("downloads the usage by day, as JSON and as CSV", async () => {
    const report = await call("/api/v1/account/reports/usage?days=7&mode=live", send("GET", token));
    const today = new Date().toISOString().slice(0, 10);
    expect(report.body.days).toHaveLength(7);
    expect(report.body.days.at(-1)).toStrictEqual({ date: today, total: 6, successful: 4 });
    const csv = await worker.fetch(
      "/api/v1/account/reports/usage?days=2&mode=live",
      send("GET", token, undefined, { Accept: "text/csv" }),
    );
    expect(csv.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(csv.headers.get("Content-Disposition")).toBe(`attachment; filename="checkline-usage-${today}.csv"`);
    expect((await csv.text()).split("\r\n").slice(0, 1)).toStrictEqual(["date,total,successful,failed"]);
  });

  test("changes the password: the old session ends, the response's token and the new password work", async () => {
    const wrong = { old_password: "not it at all", new_password: SECOND_PASSWORD };
    const rejected = await call("/api/v1/users/change-password", post(token, wrong));
    expect(rejected).toMatchObject({ status: 400, body: { code: "WRONG_PASSWORD" } });
    const right = { old_password: FIRST_PASSWORD, new_password: SECOND_PASSWORD };
    const changed = await call("/api/v1/users/change-password", post(token, right));
    expect(changed.status).toBe(200);
    expect(await call("/api/v1/account/me", send("GET", token))).toMatchObject({
      status: 401,
      body: { code: "SESSION_EXPIRED" },
    });
    token = changed.body.token;
    expect((await call("/api/v1/account/me", send("GET", token))).status).toBe(200);
    expect((await signIn(FIRST_PASSWORD)).status).toBe(401);
    expect((await signIn(SECOND_PASSWORD)).status).toBe(200);
    await waitForMail(worker, EMAIL, /password/i);
  });

  test("sees where it is logged in, and ends all other sessions", async () => {
    const others = [(await signIn(SECOND_PASSWORD)).body.token, (await signIn(SECOND_PASSWORD)).body.token];
    const listed = (await call("/api/v1/account/sessions", send("GET", token))).body.sessions;
    const [current, ...rest] = listed.filter((session) => session.is_current);
    expect(rest).toStrictEqual([]);
    // Every login of this story except those that the new password has ended.
    expect(listed).toHaveLength(4);
    const { id } = listed.find((session) => session !== current)!;
    expect((await call(`/api/v1/account/sessions/${id}`, send("DELETE", token))).body).toStrictEqual({ ended: 1 });
    expect((await call(`/api/v1/account/sessions/${id}`, send("DELETE", token))).status).toBe(404);
    const ended = await call("/api/v1/account/sessions", send("DELETE", token));
    expect(ended).toStrictEqual({ status: 200, body: { ended: 2 } });
    for (const old of others) expect((await call("/api/v1/account/me", send("GET", old))).status).toBe(401);
    expect((await call("/api/v1/account/me", send("GET", token))).status).toBe(200);
    expect((await call("/api/v1/auth/logout", send("POST", token))).status).toBe(204);
    expect((await call("/api/v1/account/me", send("GET", token))).status).toBe(401);
    token = (await signIn(SECOND_PASSWORD)).body.token;
  });

  test("resets the password by email, which ends the session", async () => {
    const asked = await call("/api/v1/users/password-reset/request", post(null, { email: EMAIL }));
    expect(asked.status).toBe(202);
    const mail = await waitForMail(worker, EMAIL, /reset/i);
    const body = { token: tokenIn(mail), new_password: THIRD_PASSWORD };
    expect((await call("/api/v1/users/password-reset/execute", post(null, body))).status).toBe(200);
    const again = await call("/api/v1/users/password-reset/execute", post(null, body));
    expect(again).toMatchObject({ status: 400, body: { code: "TOKEN_INVALID" } });
    expect((await call("/api/v1/account/me", send("GET", token))).status).toBe(401);
    token = (await signIn(THIRD_PASSWORD)).body.token;
  });

  test("revokes one key, then the rest", async () => {
    const { body } = await call("/api/v1/account/api-keys", send("GET", token));
    const live = body.keys.find(({ mode }) => mode === "live");
    const path = `/api/v1/account/api-keys/${live?.id}`;
    expect((await call(path, send("DELETE", token))).body).toStrictEqual({ revoked: 1 });
    expect((await call(path, send("DELETE", token))).status).toBe(404);
    const rejected = await call("/api/v1/verify", post(keys.live, { number: "+442083661177" }));
    expect(rejected).toMatchObject({ status: 401, body: { code: "API_KEY_REVOKED" } });
    expect((await call("/api/v1/verify", post(keys.test, { number: "+442083661177" }))).status).toBe(200);
    const rest = await call("/api/v1/account/api-keys", send("DELETE", token));
    expect(rest.body).toStrictEqual({ revoked: 1 });
    expect((await call("/api/v1/verify", post(keys.test, { number: "+442083661177" }))).status).toBe(401);
  });

  test("deletes the account, and nothing personal is left", async () => {
    expect(await everythingStored()).toContain(EMAIL);
    const gone = await call("/api/v1/account", send("DELETE", token));
    expect(gone).toStrictEqual({ status: 204, body: {} });
    expect((await call("/api/v1/account/me", send("GET", token))).status).toBe(401);
    expect((await signIn(THIRD_PASSWORD)).status).toBe(401);
    const stored = await everythingStored();
    for (const trace of [EMAIL, "Grace", "Hopper", userId, keys.live.slice(-4)]) expect(stored).not.toContain(trace);
  });
});
