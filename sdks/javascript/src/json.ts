/** A JSON object. */
type Fields = Readonly<Record<string, unknown>>;

/** The object, or null if it's another value. */
export function fieldsOf(value: unknown): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

/** The text, or null if it's another value. */
export function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The texts of a list, or none. */
export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The boolean, or null if it's another value. */
export function truth(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

/** The whole number, or null if it's another value. */
export function count(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}
