import { explain, PERMISSIONS } from "../wrangler.ts";
import type { Wrangler } from "../wrangler.ts";

/** Asks Cloudflare's API for the result at a path. @throws Error with the refusal, explained */
export type Ask = <T>(path: string) => Promise<T>;

/** Cloudflare's API with wrangler's login, for what wrangler has no command for. */
export async function openApi(wrangler: Wrangler, io: { env: NodeJS.ProcessEnv; fetch: typeof fetch }): Promise<Ask> {
  const login = await wrangler.read<Partial<Record<"token" | "key" | "email", string>>>(["auth", "token", "--json"]);
  const headers: Record<string, string> =
    login.token === undefined
      ? { "X-Auth-Key": login.key ?? "", "X-Auth-Email": login.email ?? "" }
      : { Authorization: `Bearer ${login.token}` };
  const base = io.env["CLOUDFLARE_API_BASE_URL"] || "https://api.cloudflare.com/client/v4";
  return async function ask<T>(path: string): Promise<T> {
    const response = await io.fetch(base + path, { headers });
    const { success, result, errors } = (await response.json()) as {
      success: boolean;
      result: T;
      errors: { code: number; message: string }[];
    };
    if (success) return result;
    throw new Error(explain(`${path}: ${errors.map(({ code, message }) => `${message} [code: ${code}]`).join(", ")}`));
  };
}

/** The only account of the login. @throws Error listing them when there are several */
export async function onlyAccount(ask: Ask): Promise<string> {
  const accounts = await ask<{ id: string; name: string }[]>("/accounts");
  const [account] = accounts;
  if (account !== undefined && accounts.length === 1) return account.id;
  const list = accounts.map(({ id, name }) => `\n  ${id}  ${name}`).join("");
  throw new Error(`Set CLOUDFLARE_ACCOUNT_ID to the account to deploy to. This login has ${accounts.length}:${list}`);
}

/** Checks that one of the account's zones contains a host. @throws Error if the login sees none */
export async function checkZone(host: string, account: string, ask: Ask): Promise<void> {
  const labels = host.split(".");
  for (let from = 0; from < labels.length - 1; from++) {
    const zones = await ask<unknown[]>(`/zones?name=${labels.slice(from).join(".")}&account.id=${account}`);
    if (zones.length > 0) return;
  }
  throw new Error(
    `This login sees no zone for ${host}. Add its domain to the account in Cloudflare's dashboard. ${PERMISSIONS}`,
  );
}

/** What a custom domain leads to other than this worker, in words; null if nothing. */
export async function otherOwner(
  host: string,
  { account, worker }: { readonly account: string; readonly worker: string },
  io: { readonly ask: Ask; readonly fetch: typeof fetch },
): Promise<string | null> {
  const attached = await io.ask<{ service: string }[]>(`/accounts/${account}/workers/domains?hostname=${host}`);
  if (attached.some(({ service }) => service === worker)) return null;
  if (attached[0] !== undefined) return `the worker ${attached[0].service}`;
  return io.fetch(`https://${host}/`, { redirect: "manual", signal: AbortSignal.timeout(10_000) }).then(
    ({ status }) => `a server that returns ${status}`,
    ({ message, cause }: Error & { cause?: { code?: string } }) =>
      cause?.code === "ENOTFOUND" ? null : `an address (${cause?.code ?? message})`,
  );
}
