/**
 * Which account a session token speaks for, as far as the page may know: the token's subject, unchecked. It only tells a new token
 * of the same account from another account's; a token that cannot be read stands for itself.
 */
export function accountOf(token: string): string {
  try {
    const payload = token.split(".")[1] ?? "";
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    if (typeof claims === "object" && claims !== null && "sub" in claims && typeof claims.sub === "string") {
      return claims.sub;
    }
  } catch {
    // No token of ours.
  }
  return token;
}
