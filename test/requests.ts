/** A JSON POST with a credential, which is none when null. A string body is sent as it is. */
export function post(credential: string | null, body: unknown, headers: Record<string, string> = {}): RequestInit {
  return send("POST", credential, body, headers);
}

/** A request with a JSON body, or without one when it is undefined. */
export function send(
  method: string,
  credential: string | null,
  body?: unknown,
  headers: Record<string, string> = {},
): RequestInit {
  return {
    method,
    headers: {
      ...(credential !== null && { Authorization: `Bearer ${credential}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  };
}
