import { existsSync } from "node:fs";
import { firefox } from "playwright-core";
import type { Browser } from "playwright-core";

/** Debian's, and what `FIREFOX_PATH` names. Not Playwright's patched build, which npm doesn't have. */
const CHOSEN = process.env["FIREFOX_PATH"];
const PATHS = CHOSEN ? [CHOSEN] : ["/usr/bin/firefox", "/usr/bin/firefox-esr"];
/** Firefox lacks this command, which Playwright sends for every profile. Color schemes stay the browser's. */
const UNKNOWN = "emulation.setMediaFeaturesOverride";

/** The part of Playwright's own objects that sends a command. */
interface Session {
  send(method: string, parameters: unknown): Promise<unknown>;
}

/** Starts an installed Firefox by WebDriver BiDi; null if there is none. */
export async function launchFirefox(): Promise<Browser | null> {
  const executablePath = PATHS.find((path) => existsSync(path));
  if (executablePath === undefined) {
    if (CHOSEN) throw new Error(`FIREFOX_PATH is ${CHOSEN}, where there is nothing.`);
    return null;
  }
  const browser = await firefox.launch({ channel: "moz-firefox", executablePath });
  const { _connection: connection } = browser as unknown as {
    _connection: { toImpl(of: Browser): { _browserSession: Session } };
  };
  // oxlint-disable-next-line no-underscore-dangle -- Playwright's own name.
  const session = Object.getPrototypeOf(connection.toImpl(browser)._browserSession) as Session;
  const { send } = session;
  session.send = function sendKnown(method, parameters) {
    return method === UNKNOWN ? Promise.resolve({}) : send.call(this, method, parameters);
  };
  return browser;
}
