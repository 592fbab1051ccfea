/**
 * After a deployment the previous version's files are gone, but open pages still request them. The page is then
 * reloaded at the address the reader was navigating to; if that was tried within the last minute, an error is shown
 * instead.
 */

const LAST_RELOAD = "checkline:stale-chunk-reload";
const RELOAD_AGAIN_AFTER = 60_000;

/** A part of the site that failed to load right after the page was reloaded for it. */
export class StaleChunkError extends Error {
  override readonly name = "StaleChunkError";
}

/** The part of the router, left on the window by the framework, that this file uses. */
interface RouterState {
  readonly initialized: boolean;
  /** The navigation target; undefined if there is no pending navigation. */
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
 * Whether a reload may be tried; remembers that it was. Not without storage, which could cause a reload loop, and not
 * offline, which would lose the current page.
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

/** Reloads the page at the address the reader is navigating to. False when that was just done. */
function reloadOnce(): boolean {
  if (leaving) return true;
  if (!mayReload()) return false;
  leaving = true;
  const { pathname, search, hash } = routerState()?.navigation.location ?? window.location;
  const target = new URL(pathname + search + hash, window.location.origin).href;
  // Assigning the current address would only scroll if it has a hash.
  if (target === window.location.href) window.location.reload();
  else window.location.assign(target);
  return true;
}

function forever(): Promise<never> {
  return new Promise(() => {});
}

/** No one waits for the chunk: React Router prefetches because a link is hovered. */
function isPrefetch(): boolean {
  const state = routerState();
  return (
    state !== undefined && state.initialized && state.navigation.location === undefined && state.fetchers.size === 0
  );
}

/**
 * Imports a chunk for React Router (see vite.config.ts).
 * @throws StaleChunkError when it is missing and the page was just reloaded for it.
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

/** Watches for missing chunks imported by components, and missing style sheets. */
export function watchForStaleChunks(): void {
  window.addEventListener("vite:preloadError", (event) => {
    if (reloadOnce()) event.preventDefault();
  });
  // Errors of elements do not bubble.
  window.addEventListener("error", (event) => isMissingStyle(event.target) && reloadOnce(), { capture: true });
}
