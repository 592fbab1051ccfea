import type { CSSProperties } from "react";

/** Milliseconds between two typed characters, and between two facts that appear. */
export const KEYSTROKE = 42;
export const STEP = 130;

/** A style whose animation begins after so many milliseconds. */
export function delayed(milliseconds: number, style?: CSSProperties): CSSProperties {
  return { ...style, animationDelay: `${Math.round(milliseconds)}ms` };
}
