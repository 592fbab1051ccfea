import type { Endpoint } from "../contract/endpoints/endpoint.ts";
import { ENDPOINTS } from "../contract/endpoints/index.ts";
import { jsonSchemaOf } from "../contract/json-schema.ts";
import { send } from "./requests.ts";

/** An operation of the contract, and how to call it as its declaration says. */
export interface Operation {
  readonly endpoint: Endpoint;
  readonly method: string;
  /** With an id that nobody has. */
  readonly path: string;
  /** The query that it requires, or an empty text. */
  readonly search: string;
  /** What an account uses for it. */
  credentialOf(caller: { readonly token: string; readonly key: string }): string | null;
  /** The declared example, with another body or more headers if given. A string body is sent unchanged. */
  request(credential: string | null, body?: unknown, headers?: Record<string, string>): RequestInit;
}

function operationOf(endpoint: Endpoint): Operation {
  const { method, path, query, request, format, sameOrigin, credential: accepted } = endpoint;
  const required = query === undefined ? [] : ((jsonSchemaOf(query)["required"] ?? []) as string[]);
  const declared: Record<string, string> = {
    ...(format === "ndjson" && { "Content-Type": "application/x-ndjson" }),
    ...(sameOrigin !== undefined && { "Sec-Fetch-Site": "same-origin" }),
  };
  return {
    endpoint,
    method: method.toUpperCase(),
    path: path.replace("{id}", "key_00000000000000000000").replace("{code}", "BR"),
    search: required.map((name) => `?${name}=${name}-of-an-example`).join(""),
    credentialOf: ({ token, key }) => ({ none: null, session: token, key, any: key })[accepted],
    request: (credential, body = request?.example, headers = {}) =>
      send(method.toUpperCase(), credential, body, { ...declared, ...headers }),
  };
}

/** The contract's operations that a rule is about, each with its name for `test.each`. */
export function everyOperation(isMeant: (endpoint: Endpoint) => boolean = () => true): [string, Operation][] {
  return ENDPOINTS.filter(isMeant).map((endpoint) => {
    const operation = operationOf(endpoint);
    return [`${operation.method} ${endpoint.path}`, operation];
  });
}
