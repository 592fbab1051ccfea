export interface Palette {
  readonly paper: string;
  readonly ink: string;
  /** Labels and small print. */
  readonly muted: string;
  /** Hairlines, purely decorative. */
  readonly line: string;
  /** The one color that means "verified", dark enough to read on paper. */
  readonly signal: string;
  readonly button: string;
  readonly onButton: string;
}

/** The colors of emails and of the local mailbox. All text has a contrast of at least 4.5:1 (WCAG AA). */
export const LIGHT: Palette = {
  paper: "#FBFAF7",
  ink: "#14161A",
  muted: "#5C6068",
  line: "#D9D6CD",
  signal: "#0A7D53",
  button: "#0A7D53",
  onButton: "#FFFFFF",
};

export const DARK: Palette = {
  paper: "#14161A",
  ink: "#F3F1EA",
  muted: "#A3A7AF",
  line: "#34373D",
  signal: "#3DDC97",
  button: "#3DDC97",
  onButton: "#14161A",
};

export const SANS = "-apple-system, BlinkMacSystemFont, Segoe UI, Roboto, Helvetica, Arial, sans-serif";
export const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, Liberation Mono, monospace";
