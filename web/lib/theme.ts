import { createStore } from "./store.ts";
import { writeStored } from "./stored.ts";

/** A visitor's options; "system" follows the device and is not stored. */
export type Theme = "system" | "light" | "dark";

const STORED_AS = "theme";

/**
 * Runs in `<head>` before the first paint, so that a page never flashes the wrong theme. If storage is blocked, the
 * system's theme applies.
 */
export const THEME_SCRIPT = `try{var t=localStorage.getItem("${STORED_AS}");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch{}`;

function painted(): Theme {
  const theme = document.documentElement.dataset["theme"];
  return theme === "light" || theme === "dark" ? theme : "system";
}

const store = createStore<Theme>("system", painted);

/** Shows a theme now, and on every later page if the browser lets us remember it. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset["theme"];
  else dataset["theme"] = theme;
  writeStored(STORED_AS, theme === "system" ? null : theme);
  store.set(theme);
}

/** The visitor's choice of theme. */
export function useTheme(): Theme {
  return store.use();
}
