/**
 * After a deployment the files of the version before it are gone, and a page that is still open asks for them. Then it is loaded
 * again, at the address the reader was on the way to; if that was tried within the last minute, an error is shown instead.
 */

const LAST_RELOAD = "checkline:stale-chunk-reload";
const RELOAD_AGAIN_AFTER = 60_000;

/** A part of the site that could not be loaded, and for which the page has just been reloaded in vain. */
export class StaleChunkError extends Error {
  override readonly name = "StaleChunkError";
}

/** What this file reads of the router, which the framework leaves on the window. */
interface RouterState {
  readonly initialized: boolean;
  /** Where the reader is being taken; undefined while no navigation is under way. */
  readonly navigation: { readonly location?: Pick<Location, "pathname" | "search" | "hash"> };
  /** Calls of other routes that run beside the page. */
  readonly fetchers: ReadonlyMap<string, unknown>;
}

function routerState(): RouterState | undefined {
  const { __reactRouterDataRouter: router } = window as { __reactRouterDataRouter?: { state: RouterState } };
  return router?.state;
}

let leaving = false;

/**
 * Whether a reload may be tried; remembers that it was. Not without a memory, for there could be one after the other, and not
 * without a connection, for the page that is there would be lost.
 */
function mayReload(): boolean {
  if (!navigator.onLine) return false;
  try {
    const last = Number(sessionStorage.getItem(LAST_RELOAD));
    if (Date.now() - last < RELOAD_AGAIN_AFTER) return false;
    sessionStorage.setItem(LAST_RELOAD, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}

/** Loads the page again, at the address the reader is on the way to. False when that was done a moment ago. */
function reloadOnce(): boolean {
  if (leaving) return true;
  if (!mayReload()) return false;
  leaving = true;
  const { pathname, search, hash } = routerState()?.navigation.location ?? window.location;
  const target = new URL(pathname + search + hash, window.location.origin).href;
  // To assign the present address would only scroll when it has a hash.
  if (target === window.location.href) window.location.reload();
  else window.location.assign(target);
  return true;
}

function forever(): Promise<never> {
  return new Promise(() => {});
}

/** Nobody waits for the chunk: React Router looks ahead because a link is pointed at. */
function isPrefetch(): boolean {
  const state = routerState();
  return (
    state !== undefined && state.initialized && state.navigation.location === undefined && state.fetchers.size === 0
  );
}

/**
 * Imports a chunk for React Router (see vite.config.ts).
 * @throws StaleChunkError when it is not there and the page was reloaded for that a moment ago.
 */
export async function loadChunk(url: string): Promise<unknown> {
  try {
    return await import(/* @vite-ignore */ url);
  } catch (cause) {
    if (isPrefetch() || reloadOnce()) return forever();
    throw new StaleChunkError(`${url} could not be loaded.`, { cause });
  }
}

function isMissingStyle(target: EventTarget | null): boolean {
  return target instanceof HTMLLinkElement && target.relList.contains("stylesheet");
}

/** Watches the chunks that components import, and the style sheets of pages. */
export function watchForStaleChunks(): void {
  window.addEventListener("vite:preloadError", (event) => {
    if (reloadOnce()) event.preventDefault();
  });
  // Errors of elements do not bubble.
  window.addEventListener("error", (event) => isMissingStyle(event.target) && reloadOnce(), { capture: true });
}
