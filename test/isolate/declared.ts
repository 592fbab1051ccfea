import { expect } from "vitest";
import { errorsOf } from "../../contract/endpoints/endpoint.ts";
import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import { SANDBOX_ERRORS } from "../../contract/errors.ts";

const DECLARED = ENDPOINTS.map((endpoint) => ({
  method: endpoint.method.toUpperCase(),
  path: new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  codes: [...errorsOf(endpoint), ...(endpoint.sandbox === true ? Object.keys(SANDBOX_ERRORS) : [])],
}));

/** Checks that an operation declares the error that it returned. */
export async function expectDeclared({ method, url }: Request, response: Response): Promise<void> {
  const { pathname } = new URL(url);
  const declared = DECLARED.find((each) => each.method === method && each.path.test(pathname));
  if (declared === undefined) return;
  const { code } = (await response.json()) as { code: string };
  expect(declared.codes, `${method} ${pathname}`).toContain(code);
}
