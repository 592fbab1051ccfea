import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensureDevVars } from "./dev-vars.ts";

async function fileIn(content: string | null): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "dev-vars-")), ".dev.vars");
  if (content !== null) await writeFile(path, content);
  return path;
}

test("a machine without settings gets its own secret and a local mailbox", async () => {
  const path = await fileIn(null);
  await ensureDevVars(path);
  const text = await readFile(path, "utf8");
  expect(text).toMatch(
    /^ENVIRONMENT=development\nSESSION_SECRET=[\w-]{43}\nTRIAL_SECRET=[\w-]{43}\nMAIL_DRIVER=mailbox\n$/,
  );
  await ensureDevVars(path);
  expect(await readFile(path, "utf8")).toBe(text);
});

test("existing settings stay, even without a trailing newline", async () => {
  const path = await fileIn(
    "MAIL_DRIVER = resend\nTRIAL_SECRET=kept\nSESSION_SECRET=mine-and-long-enough-to-be-a-secret",
  );
  await ensureDevVars(path);
  expect(await readFile(path, "utf8")).toBe(
    "MAIL_DRIVER = resend\nTRIAL_SECRET=kept\nSESSION_SECRET=mine-and-long-enough-to-be-a-secret\nENVIRONMENT=development\n",
  );
});
