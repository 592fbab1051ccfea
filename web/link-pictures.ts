import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Renderer } from "@takumi-rs/core";
import type { Node } from "@takumi-rs/core";
import { linkPicture } from "./lib/page-meta.ts";
import { INDEXED_PATHS } from "./pages.ts";

const FONT = join(
  import.meta.dirname,
  "../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
);

/** As in styles/tokens.css, the light theme. */
const COLORS = { paper: "#fbfaf7", ink: "#14161a", soft: "#3c4047", muted: "#5c6068", signal: "#0a7d53" };

/** The line that ends in a check, over the whole width. */
const LINE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1056 60" fill="none"><path d="M2 34h958l20 22L1053 4"
  stroke="${COLORS.signal}" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 20" fill="none"><path d="M2 11h13l4.5 6L30 3.5"
  stroke="${COLORS.signal}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

type Style = NonNullable<Node["style"]>;

interface Head {
  readonly title: string;
  readonly description: string;
}

function text(words: string, style: Style): Node {
  return { type: "text", text: words, style };
}

function box(style: Style, children: Node[]): Node {
  return { type: "container", style: { display: "flex", ...style }, children };
}

/** A page's name and description under ours. */
function picture({ title, description }: Head): Node {
  const [name = title, site = ""] = title.split(" · Checkline");
  const column: Style = { flexDirection: "column", width: "100%", height: "100%", padding: 72 };
  return box({ ...column, backgroundColor: COLORS.paper, color: COLORS.ink, fontFamily: "Geist" }, [
    box({ alignItems: "center", gap: 14, fontSize: 27 }, [
      { type: "image", src: MARK, style: { width: 42, height: 26 } },
      text("Checkline", { fontWeight: 600, letterSpacing: "-0.03em" }),
      text(site.trim(), { color: COLORS.muted }),
    ]),
    text(name, {
      marginTop: 60,
      fontSize: 76,
      fontWeight: 500,
      lineHeight: 1.08,
      letterSpacing: "-0.04em",
      textWrap: "balance",
    }),
    text(description, {
      marginTop: 26,
      fontSize: 32,
      lineHeight: 1.4,
      color: COLORS.soft,
      maxWidth: 980,
      lineClamp: 3,
    }),
    { type: "image", src: LINE, style: { width: 1056, height: 60, marginTop: "auto" } },
  ]);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** What a link preview says about a built page. @throws Error if the page doesn't say it */
function headOf(html: string): Head {
  function meta(property: string): string {
    const content = new RegExp(`<meta property="og:${property}" content="([^"]*)"`).exec(html)?.[1];
    if (content === undefined) throw new Error(`A page has no og:${property}.`);
    return content.replaceAll(/&[^;]+;/g, (entity) => ENTITIES[entity] ?? entity);
  }
  return { title: meta("title"), description: meta("description") };
}

/** Draws the picture of each page's link preview, 1200 by 630 pixels. The landing page has its own: test/browser/social-card.ts. */
export async function writeLinkPictures(client: string): Promise<void> {
  const renderer = new Renderer();
  const fonts = [{ name: "Geist", data: await readFile(FONT) }];
  for (const path of INDEXED_PATHS.filter((each) => each !== "/")) {
    const head = headOf(await readFile(join(client, path, "index.html"), "utf8"));
    const file = join(client, linkPicture(path));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await renderer.render(picture(head), { width: 1200, height: 630, fonts }));
  }
}
