import * as v from "valibot";
import { MAX_NAME_LENGTH } from "./limits.ts";

/**
 * What could change the text around a name: line breaks, control, format, and direction characters. Not the two joiners,
 * which Sinhala and Persian names and emoji need.
 */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/u;

/** What shows: not a filler or the blank Braille pattern. */
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A name: one line of text. `empty` is the message for one without characters. */
function lineOfText(empty: string) {
  return v.pipe(
    v.string("Must be a string"),
    v.trim(),
    v.nonEmpty(empty),
    v.maxLength(MAX_NAME_LENGTH, `Must be at most ${MAX_NAME_LENGTH} characters`),
    v.check((name) => !UNPRINTABLE.test(name), "Must not contain control or format characters"),
    v.check((name) => VISIBLE.test(name), "Must contain visible characters"),
  );
}

/** A person's name. */
export const OwnerName = lineOfText("Name is required");

/** The name of a key or a passkey. A key's name may be omitted, but not empty. */
export const KeyName = lineOfText("Must not be empty");
