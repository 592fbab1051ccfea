import { expect, test } from "vitest";
import { PATHS } from "./pages.ts";
import routes from "./routes.ts";

interface Route {
  readonly path?: string;
  readonly index?: boolean;
  readonly children?: readonly Route[];
}

function pathsOf({ path = "", index = false, children }: Route, parent = ""): string[] {
  const own = path === "" ? parent : `${parent}/${path}`;
  if (children === undefined) return index || path !== "" ? [own || "/"] : [];
  return children.flatMap((child) => pathsOf(child, own));
}

test("every page is prerendered", () => {
  const pages = (routes as readonly Route[]).flatMap((route) => pathsOf(route));
  // /docs leads to its first page.
  const own = pages.filter((path) => !path.endsWith("*") && path !== "/docs");
  expect(own.toSorted()).toStrictEqual(PATHS.toSorted());
});
