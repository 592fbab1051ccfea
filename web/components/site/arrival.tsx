import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

/**
 * What a browser does by itself when it loads a page, for pages that are only exchanged: the focus begins at the content, and a
 * screen reader hears the title.
 */
export function Arrival() {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  const [title, setTitle] = useState("");

  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    setTitle(document.title);
    // A page that has put the focus somewhere itself knows better.
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body || !activeElement.closest("main, dialog")) {
      document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
    }
  }, [pathname]);

  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}
