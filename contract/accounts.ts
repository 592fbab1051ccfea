import * as v from "valibot";
import { bodySchema, described, Integer, Timestamp } from "./body.ts";
import { Key } from "./keys.ts";
import { EMAIL_TOKEN_HOURS, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./limits.ts";
import { OwnerName } from "./names.ts";
import { passwordComplaint, tooLongComplaint } from "./passwords.ts";

/** An email address as stored and compared: trimmed and lowercase. */
export const Email = v.pipe(
  v.string("Must be a string"),
  v.trim(),
  v.nonEmpty("Email is required"),
  v.maxLength(254, "Must be at most 254 characters"),
  v.rfcEmail("Enter a valid email address"),
  v.regex(/\.[^.@]+$/, "Enter a valid email address"),
  // Last, since some letters beyond ASCII have lowercase forms within it.
  v.toLowerCase(),
);

/** A rule that returns a complaint about a text, or null. */
function rule(complaintOf: (text: string) => string | null) {
  return v.rawCheck<string>(({ dataset, addIssue }) => {
    const message = dataset.typed ? complaintOf(dataset.value) : null;
    if (message !== null) addIssue({ message });
  });
}

/** A new password. Whether it is easy to guess is checked where the owner is known. */
const NewPassword = v.pipe(
  v.string("Must be a string"),
  // For the OpenAPI document, where lengths are code points.
  v.minLength(MIN_PASSWORD_LENGTH, `Password must be at least ${MIN_PASSWORD_LENGTH} characters`),
  rule(passwordComplaint),
);

/** A password to check. One that is too long can't be right, and isn't worth hashing. */
const ClaimedPassword = v.pipe(
  v.string("Must be a string"),
  v.nonEmpty("Password is required"),
  rule(tooLongComplaint),
);

const EmailToken = v.pipe(v.string("Must be a string"), v.nonEmpty("Token is required"), v.maxLength(200, "Too long"));

const email = described(Email, "The account's email address. Case doesn't matter.");
const newPassword = described(
  NewPassword,
  `The new password: ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters, and not easy to guess.`,
);
const currentPassword = described(ClaimedPassword, "The account's current password.");
const message = described(v.string(), "A message for the user.");

/** The token of an emailed link. Its description says how long it works. */
function mailedToken(purpose: keyof typeof EMAIL_TOKEN_HOURS) {
  const hours = EMAIL_TOKEN_HOURS[purpose];
  return described(
    EmailToken,
    `From the link in the email. It works once, within ${hours === 1 ? "an hour" : `${hours} hours`}.`,
  );
}

export const LoginRequest = bodySchema({ email, password: described(ClaimedPassword, "The account's password.") });
export type LoginRequest = v.InferOutput<typeof LoginRequest>;

export const RegisterRequest = bodySchema({
  name: described(OwnerName, "The account owner's name."),
  email,
  password: newPassword,
  verifier: v.optional(
    described(
      v.pipe(v.string("Must be a string"), v.regex(/^[0-9a-f]{64}$/, "Must be a SHA-256 in hex")),
      "The SHA-256, in hex, of a nonce this browser keeps. Together with the nonce, the link in the email confirms this registration.",
    ),
  ),
});
export type RegisterRequest = v.InferOutput<typeof RegisterRequest>;

export const ChangePasswordRequest = bodySchema({ old_password: currentPassword, new_password: newPassword });

export const ResendVerificationRequest = bodySchema({ email });

export const PasswordResetRequest = bodySchema({ email });

export const PasswordResetExecuteRequest = bodySchema({
  token: mailedToken("reset_password"),
  new_password: newPassword,
});

export const VerifyEmailQuery = bodySchema({ token: mailedToken("verify_email") });

export const VerifyRegistrationRequest = bodySchema({
  token: mailedToken("verify_email"),
  nonce: v.optional(
    described(
      v.pipe(v.string("Must be a string"), v.minLength(16, "Too short"), v.maxLength(200, "Too long")),
      "The nonce whose SHA-256 was the registration's `verifier`.",
    ),
  ),
  password: v.optional(described(ClaimedPassword, "Instead of the nonce: the password used to register.")),
  new_password: v.optional(newPassword),
  name: v.optional(described(OwnerName, "The account owner's name; use with `new_password`.")),
});
export type VerifyRegistrationRequest = v.InferOutput<typeof VerifyRegistrationRequest>;

export const ChangeAccountRequest = bodySchema({ name: described(OwnerName, "The account's new name.") });

export const ChangeEmailRequest = bodySchema({ email: described(Email, "The new email address.") });

export const ConfirmEmailChangeRequest = bodySchema({ token: mailedToken("change_email") });

export const UndoEmailChangeRequest = bodySchema({ token: mailedToken("undo_email_change") });

export const ConfirmPasswordRequest = bodySchema({ password: currentPassword });

export const MessageResponse = v.object({ message });

export const VerifyRegistrationResponse = v.object({
  ...MessageResponse.entries,
  email: described(v.string(), "The address, to log in with."),
});

export const EmailChangeUndone = v.object({
  message,
  keys_with_changed_limits: described(
    v.array(v.pick(Key, ["name", "mode", "hint"])),
    "Keys that still work and whose cap or allowed origins changed in the time that the undo covers.",
  ),
});
export type EmailChangeUndone = v.InferOutput<typeof EmailChangeUndone>;

/** A new session. The token goes into `Authorization: Bearer`. */
export const SessionResponse = v.object({
  token: described(v.string(), "The session token, for `Authorization: Bearer`."),
  expires_at: described(Timestamp, "When the session ends (UTC)."),
});

export const PasswordChangedResponse = v.object({ message, ...SessionResponse.entries });

export const Account = v.object({
  id: described(v.string(), "The account ID."),
  name: described(v.string(), "The account's name."),
  email: described(v.string(), "The login email address."),
  is_verified: described(v.boolean(), "Whether the email address is verified."),
  pending_email: described(
    v.nullable(v.string()),
    "The address it changes to once its link is opened, for 24 hours from the request; null if there is none.",
  ),
  created_at: described(Timestamp, "When the account was created (UTC)."),
});
export type Account = v.InferOutput<typeof Account>;

const ListedSession = v.object({
  id: described(v.string(), "The session ID, used to end it."),
  browser: described(v.string(), "The browser and operating system, such as `Chrome on Windows`."),
  country_code: described(v.nullable(v.string()), "The login country (ISO 3166-1 alpha-2); null if unknown."),
  created_at: described(Timestamp, "When the session began (UTC)."),
  last_used_at: described(
    Timestamp,
    "When it was last used (UTC): the hour's start, or when the session began if later.",
  ),
  is_current: described(v.boolean(), "Whether this is the current session."),
});
export type ListedSession = v.InferOutput<typeof ListedSession>;

export const SessionsResponse = v.object({
  sessions: described(v.array(ListedSession), "Active sessions: this one first, then the most recently used."),
});

export const EndedResponse = v.object({
  ended: described(Integer, "The number of sessions ended."),
});
