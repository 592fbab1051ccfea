import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, request as requestOf } from "node:http";
import { fileURLToPath } from "node:url";

const PAGE = `<!doctype html><title>Checkline</title><link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "checkline": "/package/index.js" } }</script>`;

/** The folders that the page's modules are in. */
const FOLDERS = {
  package: new URL("dist/esm/", import.meta.resolve("checkline/package.json")),
  test: new URL("../", import.meta.url),
};

async function serveFile(folder, name, response) {
  const text = await readFile(fileURLToPath(new URL(name, FOLDERS[folder])));
  response.writeHead(200, { "Content-Type": "text/javascript" }).end(text);
}

/**
 * Forwards a request to the conformance suite, and its response back, however it ends. Records redirects' statuses by
 * case.
 */
function hand(request, response, redirects) {
  // A page can't set User-Agent, and because of its Origin the service would reject the suite's live keys, as it
  // should.
  const { origin: _origin, ...headers } = { ...request.headers, "user-agent": "checkline-javascript/1.0.0" };
  const url = new URL(request.url, process.env.CHECKLINE_CONFORMANCE_URL);
  const handed = requestOf(url, { method: request.method, headers, agent: false });
  handed.on("error", () => response.destroy());
  handed.on("response", (answer) => {
    const [, , , id] = request.url.split("/");
    if (answer.statusCode >= 300 && answer.statusCode < 400) redirects.set(id, answer.statusCode);
    // A new connection each time: the browser itself retries failures on a reused one.
    response.writeHead(answer.statusCode, { ...answer.headers, connection: "close" });
    answer.on("error", () => response.destroy());
    answer.pipe(response);
  });
  response.on("close", () => handed.destroy());
  request.pipe(handed);
}

/**
 * Serves a page that can import the package, on this machine, and the conformance suite under /play/. `redirects` has
 * their statuses.
 */
export async function serveSite() {
  const redirects = new Map();
  const server = createServer((request, response) => {
    const [, folder, name] = request.url.split("/");
    if (folder === "") response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
    else if (folder in FOLDERS) void serveFile(folder, name, response);
    else hand(request, response, redirects);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    redirects,
    url: `http://127.0.0.1:${server.address().port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
