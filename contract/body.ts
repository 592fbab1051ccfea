import * as v from "valibot";

/**
 * An object that accepts exactly these fields, with sentences a caller can act on for missing and unknown ones.
 */
export function bodySchema<E extends v.ObjectEntries>(entries: E) {
  return v.strictObject(entries, (issue) => {
    if (issue.expected === "never") return "Unknown field";
    if (issue.expected === "Object") return "Must be an object";
    return "Required";
  });
}

/** The path of a field as callers write it: `numbers[3]`. The empty string is the whole body. */
function fieldPath(issue: v.BaseIssue<unknown>): string {
  let path = "";
  for (const { key } of issue.path ?? []) {
    path += typeof key === "number" ? `[${key}]` : path === "" ? String(key) : `.${String(key)}`;
  }
  return path;
}

/** What is wrong with each field, first complaint first. A complaint about the whole body stands under `body`. */
export function fieldErrors(issues: readonly v.BaseIssue<unknown>[]): Record<string, string> {
  const errors = new Map<string, string>();
  for (const issue of issues) {
    const path = fieldPath(issue) || "body";
    if (!errors.has(path)) errors.set(path, issue.message);
  }
  return Object.fromEntries(errors);
}
