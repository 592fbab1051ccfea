import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sdkWithId } from "../../sdks/packages.ts";
import { PACKAGES } from "../../scripts/sdks/manifest.ts";
import { builtSamples } from "../docs-samples.ts";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { run, whyMissing } from "../programs.ts";

const worker = startWorker();

/** Sends the sign-up form's numbers to the route, and prints the responses. */
const PROGRAM = `
  import { POST } from "./route.mjs";
  for (const phone of process.argv.slice(2)) {
    const response = await POST(new Request("http://localhost/", { method: "POST", body: JSON.stringify({ phone }) }));
    console.log(response.status, JSON.stringify(await response.json()));
  }
`;

function sampleWith(name: string): string {
  return builtSamples().find(({ page, title }) => page === "frameworks" && title.endsWith(name))!.code;
}

test("the route of Next.js stores, explains, and lets through", { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "docs-framework-"));
  const args = ["install", "--offline", "--no-audit", "--no-fund", join(PACKAGES, sdkWithId("javascript").file)];
  expect((await run("npm", args, { cwd: folder })).exit).toBe(0);
  writeFileSync(join(folder, "route.mjs"), sampleWith("route.js"));
  writeFileSync(join(folder, "sign-up.mjs"), PROGRAM);
  const signUp = async (key: string, ...phones: string[]) => {
    const env = { CHECKLINE_API_KEY: key, CHECKLINE_BASE_URL: worker.url.replace(/\/$/, "") };
    return (await run(process.execPath, ["sign-up.mjs", ...phones], { cwd: folder, env })).stdout.trim().split("\n");
  };
  for (const mode of ["live", "test"] as const) {
    const key = await createKey(worker.db, mode);
    expect(await signUp(key, "(202) 555-0123", "+1202555"), mode).toStrictEqual([
      '200 {"phone":"+12025550123"}',
      '422 {"reason":"TOO_SHORT","suggestion":null}',
    ]);
  }
  expect(await signUp("ch_test_wrong", "+1202")).toStrictEqual(['200 {"phone":"+1202"}']);
  rmSync(folder, { recursive: true });
});

/** What the controller needs of Spring, and a program that sends it numbers. */
const SPRING = {
  "org/springframework/http/ResponseEntity.java": `
    package org.springframework.http;
    public record ResponseEntity<T>(int status, T body) {
      public static <T> ResponseEntity<T> ok(T body) { return new ResponseEntity<>(200, body); }
      public static Builder status(int status) { return new Builder(status); }
      public record Builder(int status) {
        public <T> ResponseEntity<T> body(T body) { return new ResponseEntity<>(status, body); }
      }
    }`,
  "org/springframework/web/bind/annotation/PostMapping.java": `
    package org.springframework.web.bind.annotation;
    public @interface PostMapping { String[] value(); }`,
  "org/springframework/web/bind/annotation/RequestBody.java": `
    package org.springframework.web.bind.annotation;
    public @interface RequestBody {}`,
  "org/springframework/web/bind/annotation/RestController.java": `
    package org.springframework.web.bind.annotation;
    public @interface RestController {}`,
  "Program.java": `
    class Program {
      public static void main(String[] phones) {
        for (var phone : phones) {
          var response = new SignUpController().signUp(new SignUpController.SignUp(phone));
          System.out.println(response.status() + " " + response.body());
        }
      }
    }`,
};

test("the controller of Spring stores, explains, and lets through", { timeout: 120_000 }, async ({ skip }) => {
  const missing = whyMissing("javac");
  if (missing !== null) {
    console.info(`Not run: the controller of Spring. ${missing}`);
    skip(missing);
  }
  const folder = mkdtempSync(join(tmpdir(), "docs-framework-"));
  const files = { ...SPRING, "SignUpController.java": sampleWith("SignUpController.java") };
  for (const [file, code] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
  const classPath = ["--class-path", [folder, join(PACKAGES, sdkWithId("java").file)].join(delimiter)];
  const compiled = await run("javac", ["-Xlint:all", "-Werror", ...classPath, ...Object.keys(files)], { cwd: folder });
  expect(compiled).toStrictEqual({ exit: 0, stdout: "", stderr: "" });
  const signUp = async (key: string, ...phones: string[]) => {
    const env = { CHECKLINE_API_KEY: key, CHECKLINE_BASE_URL: worker.url.replace(/\/$/, "") };
    const { stdout } = await run("java", [...classPath, "Program", ...phones], { cwd: folder, env });
    return stdout.trim().split("\n");
  };
  for (const mode of ["live", "test"] as const) {
    const key = await createKey(worker.db, mode);
    expect(await signUp(key, "(202) 555-0123", "+1202555"), mode).toStrictEqual([
      "200 {phone=+12025550123}",
      "422 {reason=TOO_SHORT}",
    ]);
  }
  expect(await signUp("ch_test_wrong", "+1202")).toStrictEqual(["200 {phone=+1202}"]);
  rmSync(folder, { recursive: true });
});
