import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";
import type { Endpoint } from "../../contract/endpoints/endpoint.ts";

const GROUP = /\/contract\/endpoints\/(?!endpoint[.]|index[.])[a-z-]+[.]ts$/;

/** The part of a declaration that lib/api uses. An empty object marks operations with a body. */
function stub({ method, path, credential, request }: Endpoint) {
  return { method, path, credential, ...(request && { request: {} }) };
}

/** Keeps the operations' schemas, examples, and descriptions out of the site's bundle. */
export function endpointStubs(): Plugin {
  return {
    name: "endpoint-stubs",
    async load(id) {
      if (!GROUP.test(id)) return null;
      const module = (await import(pathToFileURL(id).href)) as Record<string, Record<string, Endpoint>>;
      const groups = Object.entries(module).filter(([, group]) => Object.values(group).every((one) => one?.path));
      return groups
        .map(([name, group]) => {
          const stubs = Object.entries(group).map(([operation, endpoint]) => [operation, stub(endpoint)]);
          return `export const ${name} = ${JSON.stringify(Object.fromEntries(stubs))};`;
        })
        .join("\n");
    },
  };
}
