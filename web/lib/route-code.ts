import { matchRoutes } from "react-router";
import type { ClientInstrumentation, DataRouter, UNSAFE_AssetsManifest, UNSAFE_RouteModules } from "react-router";
import { hasDrafts } from "./session/draft.ts";
import { toast } from "./toast.ts";

/**
 * Looks for a page's code before the router imports it. A document never retries an import that failed, and the router
 * then reloads it: offline that shows the browser's error page, and in any case it loses what was typed.
 */

/** What React Router keeps in the window of each page. */
interface RouterGlobals {
  readonly __reactRouterManifest: UNSAFE_AssetsManifest;
  readonly __reactRouterRouteModules: UNSAFE_RouteModules;
  readonly __reactRouterDataRouter: DataRouter;
}

function routerGlobals() {
  const {
    __reactRouterManifest: manifest,
    __reactRouterRouteModules: loaded,
    __reactRouterDataRouter: router,
  } = window as unknown as RouterGlobals;
  return { routes: manifest.routes, loaded, router };
}

/** How long to wait before trying again, in milliseconds, unless the connection comes back first. */
const RETRY_MS = 3000;

/** The file isn't on the server anymore: a deployment has replaced it. */
class Replaced extends Error {}

interface RouteFiles {
  readonly module: string;
  readonly imports?: readonly string[] | undefined;
}

const preloaded = new Set<string>();
let waiting = new AbortController();

/** The files of those routes whose code isn't here. */
function missing(ids: readonly string[]): RouteFiles[] {
  const { routes, loaded } = routerGlobals();
  return ids
    .filter((id) => !(id in loaded))
    .flatMap((id) => routes[id] ?? [])
    .filter(({ module }) => !preloaded.has(module));
}

function missingFor({ pathname }: URL): RouteFiles[] {
  const matches = matchRoutes(routerGlobals().router.routes, pathname) ?? [];
  return missing(matches.map(({ route }) => route.id));
}

/** Preloads routes once their modules are known to be there. Names change with contents, so what they import is too. */
async function preload(routes: readonly RouteFiles[], priority: RequestPriority = "high"): Promise<void> {
  await Promise.all(
    routes.map(async ({ module }) => {
      const { ok, status } = await fetch(module, { priority });
      if (!ok) throw status === 404 ? new Replaced() : new Error(`${module} answered ${status}.`);
    }),
  );
  for (const href of routes.flatMap(({ module, imports = [] }) => [module, ...imports])) {
    if (preloaded.has(href)) continue;
    preloaded.add(href);
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }
}

/** Preloads the dashboard, and the login page for when a session ends. If that fails, their links try again. */
export function preloadDashboard(): void {
  const ids = Object.values(routerGlobals().routes).flatMap((route) =>
    route?.path === "login" || route?.path?.startsWith("dashboard") ? route.id : [],
  );
  preload(missing(ids), "low").catch(() => {});
}

/** Opens a page whose code a deployment has replaced, which takes a new document: now, unless that loses a draft. */
function openReplaced(url: URL): void {
  const open = () => window.location.assign(url);
  if (!hasDrafts()) return open();
  const loss = "This page opens after a reload, which clears what you typed elsewhere.";
  toast.stay("Checkline was updated", loss, { label: "Reload", onClick: open });
}

/** Waits for a while, or until the connection is back. */
function pause(): Promise<unknown> {
  return new Promise((resolve) => {
    const over = AbortSignal.timeout(RETRY_MS);
    over.addEventListener("abort", resolve);
    window.addEventListener("online", resolve, { signal: over });
  });
}

/** Forgets the navigation that waits for its code. */
function supersede(): void {
  waiting.abort();
  waiting = new AbortController();
  toast.leave();
}

/**
 * Waits for a page's code while the current page stays, and tries again. False if it's given up: for another
 * navigation, or because the visitor types on.
 */
async function arrive(url: URL, routes: readonly RouteFiles[]): Promise<boolean> {
  const { signal } = waiting;
  for (;;) {
    try {
      await preload(routes);
      if (!signal.aborted) toast.leave();
      return !signal.aborted;
    } catch (error) {
      if (signal.aborted) return false;
      if (error instanceof Replaced) {
        openReplaced(url);
        return false;
      }
      const reason = navigator.onLine ? "We’re trying again." : "You’re offline. It opens once you’re back.";
      toast.stay("The page didn’t load", reason);
      document.addEventListener("input", supersede, { once: true, signal });
      await pause();
      if (signal.aborted) return false;
    }
  }
}

/** Holds each navigation until its page's code is here. */
export const holdNavigations: ClientInstrumentation = {
  router({ instrument }) {
    instrument({
      async navigate(goOn, { to }) {
        supersede();
        // A number goes back or forward, which `holdHistory` sees.
        const url = new URL(typeof to === "number" ? "" : to, window.location.href);
        const routes = missingFor(url);
        // Once this returns, the router continues.
        if (routes.length > 0 && !(await arrive(url, routes))) await new Promise(() => {});
        await goOn();
      },
    });
  },
};

/** The same for back and forward. Call it before the router starts, which would be told first otherwise. */
export function holdHistory(): void {
  window.addEventListener("popstate", (event) => {
    supersede();
    const url = new URL(window.location.href);
    const routes = missingFor(url);
    if (routes.length === 0) return;
    event.stopImmediatePropagation();
    const again = new PopStateEvent("popstate", { state: event.state as unknown });
    void arrive(url, routes).then((isHere) => isHere && window.dispatchEvent(again));
  });
}
