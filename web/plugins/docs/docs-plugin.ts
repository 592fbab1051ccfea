import { basename, dirname } from "node:path";
import mdx from "@mdx-js/rollup";
import type { Root } from "mdast";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import type { VFile } from "vfile";
import type { Plugin } from "vite";
import { curly } from "../../lib/quotes.ts";
import { docFile, docFileNames } from "./files.ts";
import { preparePage } from "./page.ts";
import { esm } from "./tree.ts";
import { importsOf, toWebForm } from "./web-form.ts";

const ELEMENTS = `${import.meta.dirname}/../../routes/docs/components/elements.tsx`;

/** Makes the page a route: its metadata, and as its `handle` what the layout shows around it. */
function remarkDocs() {
  return async (tree: Root, file: VFile) => {
    const { title, description, lead, updated, headings } = preparePage(tree);
    await toWebForm(tree);
    const folder = dirname(file.path);
    const handle = JSON.stringify({
      slug: basename(file.path, ".mdx"),
      title: curly(title),
      description: curly(description),
      lead: lead && curly(lead),
      updated,
      headings: headings.map((each) => ({ ...each, text: curly(each.text) })),
    });
    const metaOf = basename(folder) === "docs" ? "docMeta" : "textMeta";
    tree.children.unshift(
      esm(`import { ${metaOf} } from "../../lib/doc-handle.ts";
${importsOf(tree, folder)}
export const handle = ${handle};
export function meta() { return ${metaOf}(handle); }`),
    );
  };
}

/** In development, files of the build are generated on request. */
function docFilesInDevelopment(): Plugin {
  return {
    name: "docs-files",
    apply: "serve",
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = (request.url ?? "").slice(1).split("?")[0]!;
        if (!docFileNames().includes(name)) return next();
        const type = name.endsWith(".json") ? "application/json" : "text/plain";
        docFile(name, `http://${request.headers.host}`).then(
          (text) => response.setHeader("Content-Type", `${type}; charset=utf-8`).end(text),
          next,
        );
      });
    },
  };
}

/** Pages written in MDX. Must come before React Router's plugin, which treats them as route modules. */
export function docsPages(): Plugin[] {
  const compile = mdx({
    include: "**/*.mdx",
    remarkPlugins: [remarkFrontmatter, remarkGfm, remarkDocs],
    providerImportSource: ELEMENTS,
  }) as Plugin;
  return [{ ...compile, enforce: "pre" }, docFilesInDevelopment()];
}
