import * as v from "valibot";
import { bodySchema } from "./body.ts";
import { MAX_NAME_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./limits.ts";

/** An e-mail address as it is stored and compared: trimmed and in lower case. */
export const Email = v.pipe(
  v.string("Must be a string"),
  v.trim(),
  v.nonEmpty("Email is required"),
  v.maxLength(254, "Must be at most 254 characters"),
  v.rfcEmail("Must be an email address"),
  v.regex(/\.[^.@]+$/, "Must be an email address"),
  // Last, since some letters beyond ASCII have lower-case forms within it.
  v.toLowerCase(),
);

/** A password somebody chooses. Forms may word the same rule in their own way. */
export const NewPassword = v.pipe(
  v.string("Must be a string"),
  v.minLength(MIN_PASSWORD_LENGTH, `Password must be at least ${MIN_PASSWORD_LENGTH} characters`),
  v.maxLength(MAX_PASSWORD_LENGTH, `Password must be at most ${MAX_PASSWORD_LENGTH} characters`),
);

/** A password somebody claims to have. One that is too long cannot be right, and is not worth hashing. */
const ClaimedPassword = v.pipe(
  v.string("Must be a string"),
  v.nonEmpty("Password is required"),
  v.maxLength(MAX_PASSWORD_LENGTH, `Password must be at most ${MAX_PASSWORD_LENGTH} characters`),
);

/** A person's or key's name: one line of text. */
export const Name = v.pipe(
  v.string("Must be a string"),
  v.trim(),
  v.nonEmpty("Name is required"),
  v.maxLength(MAX_NAME_LENGTH, `Must be at most ${MAX_NAME_LENGTH} characters`),
  v.check((name) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name), "Must not hold control characters"),
  v.check((name) => /[^\p{C}\p{Z}]/u.test(name), "Must hold something to read"),
);

const EmailToken = v.pipe(v.string("Must be a string"), v.nonEmpty("Token is required"), v.maxLength(200, "Too long"));

export const LoginRequest = bodySchema({ email: Email, password: ClaimedPassword });
export type LoginRequest = v.InferOutput<typeof LoginRequest>;

export const RegisterRequest = bodySchema({ name: Name, email: Email, password: NewPassword });
export type RegisterRequest = v.InferOutput<typeof RegisterRequest>;

export const ChangePasswordRequest = bodySchema({ old_password: ClaimedPassword, new_password: NewPassword });

export const PasswordResetRequest = bodySchema({ email: Email });

export const PasswordResetExecuteRequest = bodySchema({ token: EmailToken, new_password: NewPassword });

export const VerifyEmailQuery = bodySchema({ token: EmailToken });

export const DeleteAccountRequest = bodySchema({ password: ClaimedPassword });

/** A sentence for the person in front of the screen. */
export const MessageResponse = v.object({ message: v.string() });

/** A new session. The token goes into `Authorization: Bearer`. */
export const SessionResponse = v.object({
  token: v.pipe(v.string(), v.description("The session token, for Authorization: Bearer.")),
  expires_at: v.pipe(v.string(), v.isoTimestamp(), v.description("When the session ends, UTC.")),
});

export const PasswordChangedResponse = v.object({ message: v.string(), ...SessionResponse.entries });

export const Account = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  is_verified: v.boolean(),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
});
export type Account = v.InferOutput<typeof Account>;
