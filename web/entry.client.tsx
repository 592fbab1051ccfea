import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { holdHistory, holdNavigations } from "./lib/route-code.ts";
import { toast } from "./lib/toast.ts";

holdHistory();

// Not a page's code but a part of one. Only a reload retries it, which is left to the visitor, who may be typing.
window.addEventListener("vite:preloadError", () => {
  const reason = navigator.onLine ? "Checkline may have been updated." : "You’re offline.";
  const reload = { label: "Reload", onClick: () => window.location.reload() };
  toast.stay("This part didn’t load", `${reason} Reload the page when you’re ready.`, reload);
});

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter instrumentations={[holdNavigations]} />
    </StrictMode>,
  );
});
