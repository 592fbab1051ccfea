import { createStore } from "./store.ts";

/** What a visitor may choose; "system" follows the device and is not stored. */
export type Theme = "system" | "light" | "dark";

const STORED_AS = "theme";

/**
 * Runs in `<head>` before anything is painted, so that a page never shows in the wrong theme first. Storage may be closed to us; the
 * system's theme applies then.
 */
export const THEME_SCRIPT = `try{var t=localStorage.getItem("${STORED_AS}");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch{}`;

function painted(): Theme {
  const theme = document.documentElement.dataset["theme"];
  return theme === "light" || theme === "dark" ? theme : "system";
}

const store = createStore<Theme>("system", painted);

/** Shows a theme now, and on every later page where the browser lets us remember it. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset["theme"];
  else dataset["theme"] = theme;
  try {
    if (theme === "system") localStorage.removeItem(STORED_AS);
    else localStorage.setItem(STORED_AS, theme);
  } catch {
    // Storage is closed: the choice lasts for this page.
  }
  store.set(theme);
}

/** The visitor's choice of theme. */
export function useTheme(): Theme {
  return store.use();
}
