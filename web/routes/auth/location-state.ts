import * as v from "valibot";

/** A placeholder origin for parsing URLs; only paths are ever used. */
const SITE = "https://site.invalid";
const AFTER_LOGIN = "/dashboard";

const From = v.object({
  from: v.object({
    pathname: v.string(),
    search: v.optional(v.string(), ""),
    hash: v.optional(v.string(), ""),
  }),
});

/**
 * `done` after a success, `ended` after an expired session; `reviewKeys` offers to revoke keys after the login.
 */
const Notice = v.object({
  notice: v.string(),
  kind: v.optional(v.picklist(["done", "ended"]), "done"),
  reviewKeys: v.optional(v.boolean()),
});

/** The dashboard's state after a reset and the login that follows: offers to revoke keys. */
export const ReviewKeys = v.object({ reviewKeys: v.literal(true) });

/**
 * The page of this site to open after logging in: the one that redirected here, else the dashboard.
 * @param state of the login page's location; the dashboard puts its own location there as `from`
 */
export function returnPath(state: unknown): string {
  const parsed = v.safeParse(From, state);
  if (!parsed.success) return AFTER_LOGIN;
  const { pathname, search, hash } = parsed.output.from;
  const url = URL.parse(`${pathname}${search}${hash}`, SITE);
  // A path that starts with two slashes would be read as another host.
  if (url === null || url.origin !== SITE || url.pathname.startsWith("//")) return AFTER_LOGIN;
  if (/^\/login\/?$/.test(url.pathname)) return AFTER_LOGIN;
  return url.pathname + url.search + url.hash;
}

const NewHere = v.object({ from: v.object({ state: v.object({ isNew: v.literal(true) }) }) });

/** Whether the visitor was sent here by Get Started, whose link says so in the dashboard's state. */
export function isNewHere(state: unknown): boolean {
  return v.is(NewHere, state);
}

/** The dashboard's state when a call's details or the search lead to Try it: the number to start with. */
export const TryNumber = v.object({ tryNumber: v.string() });

/** The dashboard's state when the search leads to the form of a new key. */
export const GenerateKey = v.object({ generateKey: v.literal(true) });

const Email = v.object({ email: v.string() });

/** The address to log in with, if the previous page knows it. */
export function emailIn(state: unknown): string | undefined {
  const parsed = v.safeParse(Email, state);
  return parsed.success ? parsed.output.email : undefined;
}

/** The message for this page from the previous one. */
export function noticeIn(state: unknown): v.InferOutput<typeof Notice> | null {
  const parsed = v.safeParse(Notice, state);
  return parsed.success ? parsed.output : null;
}
