import { Segmented } from "../ui/segmented.tsx";
import { chooseTheme, useTheme } from "../../lib/theme.ts";
import type { Theme } from "../../lib/theme.ts";

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

export function ThemeChoice() {
  return <Segmented size="sm" label="Theme" value={useTheme()} onChange={chooseTheme} options={THEMES} />;
}
