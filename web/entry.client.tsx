import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

const LAST_RELOAD = "last-reload";

// A deployment deletes the chunks that an open page still imports. React Router reloads the page if a route's chunk is
// missing; this does the same for the others. At most once a minute, because a chunk may stay missing.
window.addEventListener("vite:preloadError", () => {
  const last = Number(sessionStorage.getItem(LAST_RELOAD));
  if (!navigator.onLine || Date.now() - last < 60_000) return;
  sessionStorage.setItem(LAST_RELOAD, String(Date.now()));
  window.location.reload();
});

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
