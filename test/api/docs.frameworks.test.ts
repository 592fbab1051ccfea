import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sdkFolder } from "../../sdks/files.ts";
import { sdkWithId } from "../../sdks/packages.ts";
import { PACKAGES } from "../../scripts/sdks/manifest.ts";
import { builtSamples } from "../docs-samples.ts";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { run, whyMissing } from "../programs.ts";
import { startStandIn } from "../trouble.ts";

const worker = startWorker();
const standIn = startStandIn();

/** The codes of calls that fail, after which a form accepts what was typed. */
const FAILURES = ["QUOTA_EXCEEDED", "RATE_LIMITED"] as const;

function settings(key: string, origin = worker.url) {
  return { CHECKLINE_API_KEY: key, CHECKLINE_BASE_URL: origin.replace(/\/$/, "") };
}

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
  const signUp = async (env: Record<string, string>, ...phones: string[]) => {
    return (await run(process.execPath, ["sign-up.mjs", ...phones], { cwd: folder, env })).stdout.trim().split("\n");
  };
  for (const mode of ["live", "test"] as const) {
    const key = await createKey(worker.db, mode);
    expect(await signUp(settings(key), "(202) 555-0123", "+1202555"), mode).toStrictEqual([
      '200 {"phone":"+12025550123"}',
      '422 {"reason":"TOO_SHORT","suggestion":null}',
    ]);
  }
  for (standIn.trouble of FAILURES) {
    expect(await signUp(settings("ch_test_none", standIn.origin), "+1202")).toStrictEqual(['200 {"phone":"+1202"}']);
  }
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
  const signUp = async (env: Record<string, string>, ...phones: string[]) => {
    const { stdout } = await run("java", [...classPath, "Program", ...phones], { cwd: folder, env });
    return stdout.trim().split("\n");
  };
  for (const mode of ["live", "test"] as const) {
    const key = await createKey(worker.db, mode);
    expect(await signUp(settings(key), "(202) 555-0123", "+1202555"), mode).toStrictEqual([
      "200 {phone=+12025550123}",
      "422 {reason=TOO_SHORT}",
    ]);
  }
  for (standIn.trouble of FAILURES) {
    expect(await signUp(settings("ch_test_none", standIn.origin), "+1202")).toStrictEqual(["200 {phone=+1202}"]);
  }
  rmSync(folder, { recursive: true });
});

/** The other frameworks: what a sample needs of each, and a program that validates numbers with it. */
const FORMS = {
  Django: {
    command: ["python3", "sign_up.py"],
    sample: "forms.py",
    files: {
      "django/__init__.py": "",
      "django/forms.py": `
class ValidationError(Exception):
    def __init__(self, message, code):
        self.code = code

class CharField: pass
class Form: pass
`,
      "sign_up.py": `
import sys
import forms
for phone in sys.argv[1:]:
    form = forms.SignUpForm()
    form.cleaned_data = {"phone": phone}
    try:
        print("kept", form.clean_phone())
    except forms.forms.ValidationError as error:
        print("rejected", error.code)
`,
    },
    kept: "kept +12025550123",
    rejected: "rejected TOO_SHORT",
    unknown: "kept +1202",
  },
  Laravel: {
    command: ["php", "sign-up.php"],
    sample: "Phone.php",
    files: {
      "sign-up.php": `<?php
namespace Illuminate\\Contracts\\Validation { interface ValidationRule {} }
namespace {
  spl_autoload_register(function (string $class) {
    require getenv('SDKS') . '/php/src/' . strtr(substr($class, strlen('Checkline\\\\')), '\\\\', '/') . '.php';
  });
  require 'Phone.php';
  foreach (array_slice($argv, 1) as $phone) {
    $said = 'kept';
    (new App\\Rules\\Phone())->validate('phone', $phone, function (string $message) use (&$said) { $said = $message; });
    echo "$said\\n";
  }
}`,
    },
    kept: "kept",
    rejected: "Check the :attribute.",
    unknown: "kept",
  },
  Rails: {
    command: ["ruby", "sign_up.rb"],
    sample: "phone_validator.rb",
    files: {
      "sign_up.rb": `
$LOAD_PATH.unshift("#{ENV.fetch("SDKS")}/ruby/lib")
require "checkline"
module ActiveModel; class EachValidator; end; end
require_relative "phone_validator"
Record = Struct.new(:phone, :errors)
class Errors < Array
  def add(attribute, problem) = push("#{attribute} #{problem}")
end
ARGV.each do |phone|
  record = Record.new(phone, Errors.new)
  PhoneValidator.new.validate_each(record, :phone, phone)
  puts record.errors.first || "kept #{record.phone}"
end
`,
    },
    kept: "kept +12025550123",
    rejected: "phone invalid",
    unknown: "kept +1202",
  },
} as const;

test.for(Object.entries(FORMS))("the form of %s stores, explains, and lets through", async ([name, form], { skip }) => {
  const [program, file] = form.command;
  const missing = whyMissing(program);
  if (missing !== null) {
    console.info(`Not run: the form of ${name}. ${missing}`);
    skip(missing);
  }
  const folder = mkdtempSync(join(tmpdir(), "docs-framework-"));
  for (const [path, code] of Object.entries({ ...form.files, [form.sample]: sampleWith(form.sample) })) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), code);
  }
  const sdks = dirname(sdkFolder("python"));
  const others = { SDKS: sdks, PYTHONPATH: join(sdks, "python/src"), PYTHONDONTWRITEBYTECODE: "1" };
  const signUp = async (env: Record<string, string>, ...phones: string[]) => {
    const { stdout, stderr } = await run(program, [file, ...phones], { cwd: folder, env: { ...others, ...env } });
    return stdout
      .trim()
      .split("\n")
      .concat(stderr || []);
  };
  const key = await createKey(worker.db, "test");
  expect(await signUp(settings(key), "(202) 555-0123", "+1202555")).toStrictEqual([form.kept, form.rejected]);
  for (standIn.trouble of FAILURES) {
    expect(await signUp(settings("ch_test_none", standIn.origin), "+1202")).toStrictEqual([form.unknown]);
  }
  rmSync(folder, { recursive: true });
});
