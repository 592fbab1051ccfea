import { expect, test } from "vitest";
import { DARK, LIGHT } from "./palette.ts";
import type { Palette } from "./palette.ts";

/** Relative luminance, WCAG 2.2. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

test.each<[string, Palette]>([
  ["light", LIGHT],
  ["dark", DARK],
])("all text of the %s palette has a contrast of at least 4.5:1", (_, palette) => {
  for (const text of ["ink", "muted", "signal"] as const) {
    expect(contrast(palette[text], palette.paper), text).toBeGreaterThanOrEqual(4.5);
  }
  expect(contrast(palette.onButton, palette.button)).toBeGreaterThanOrEqual(4.5);
});
