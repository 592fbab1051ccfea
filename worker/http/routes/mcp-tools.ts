import type { CallToolResult, ListToolsResult, ToolAnnotations } from "@modelcontextprotocol/server";
import * as v from "valibot";
import { bodySchema, described } from "../../../contract/body.ts";
import type { BodySchema } from "../../../contract/body.ts";
import { jsonSchemaOf, responseSchemaOf } from "../../../contract/json-schema.ts";
import { MAX_BATCH_SIZE } from "../../../contract/limits.ts";
import {
  BatchRequest,
  SandboxBatchFailure,
  VerificationResult,
  VerifyRequest,
} from "../../../contract/verification.ts";
import { tryAgainIn, validationFailed } from "../../platform/errors.ts";
import { explainCode } from "../../verification/explain.ts";
import type { RequestContext } from "../context.ts";
import { describeError } from "../errors.ts";
import { checked } from "../input.ts";
import { verifyAll, verifySingle } from "./verification.ts";
import type { VerificationCall } from "./verification.ts";

const ExplainRequest = bodySchema({
  code: described(
    v.pipe(v.string("Must be a string"), v.maxLength(64, "Must be at most 64 characters")),
    "A reason, rejected_because, flag, or error code, such as TOO_SHORT, in any letter case.",
  ),
});

/** The same in every result, so the tools' descriptions say them; `status` is the sandbox's, and nothing was delivered. */
const CONSTANT_FIELDS = ["carrier_source", "reachability", "status"] as const;
const { valid, ...varying } = v.omit(VerificationResult, CONSTANT_FIELDS).entries;

/** Before a failure's text, which a model would take for a fact about the number. */
const SCENARIO = "Sandbox scenario, tells nothing about the number:";

/** A result without what is unknown or always the same: half as long for a model to read. */
const ToolResult = v.union([v.object({ valid, ...v.partial(v.object(varying)).entries }), SandboxBatchFailure]);

function compact(result: VerificationResult | SandboxBatchFailure): object {
  if ("error" in result) return { ...result, error: `${SCENARIO} ${result.error}` };
  const told = Object.entries(result).filter(([name, value]) => {
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    return !isEmpty && !(CONSTANT_FIELDS as readonly string[]).includes(name);
  });
  return Object.fromEntries(told);
}

/** Reads what is here: an assistant may call it without asking. */
const FREE: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** Uses the quota, so an assistant should ask first; it changes nothing else. */
const METERED: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

interface Tool {
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly schema: BodySchema;
  /** Of `structuredContent`: an object, as the protocol requires. */
  readonly output: v.GenericSchema;
  run(args: unknown, call: VerificationCall): Promise<object> | object;
}

const COST = "Uses one verification per valid number; test keys are free.";
const LEFT_OUT =
  "Fields that are unknown are left out. The carrier is the range's original one, and no network is queried.";

/** The tools are self-describing: a model reads nothing else. */
const TOOLS: Readonly<Record<string, Tool>> = {
  verify_number: {
    title: "Verify a phone number",
    description: `Checks whether a phone number is valid under its country's numbering plan, and returns country, type, the range's carrier, formats, and a suggestion if it may be mistyped. Doesn't place a call. For a number in national format, include country. ${COST} ${LEFT_OUT}`,
    annotations: METERED,
    schema: VerifyRequest,
    output: ToolResult,
    async run(args, call) {
      const request = checked(VerifyRequest, args);
      const answered = await verifySingle(call, request);
      return compact(answered.result ?? { number: request.number, ...answered.failure });
    },
  },
  verify_batch: {
    title: `Verify up to ${MAX_BATCH_SIZE} phone numbers`,
    description: `Verifies up to ${MAX_BATCH_SIZE} phone numbers at once, each a string or an object with its own country. Results are in the order sent. ${COST} ${LEFT_OUT}`,
    annotations: METERED,
    schema: BatchRequest,
    output: v.object({ results: v.array(ToolResult) }),
    async run(args, call) {
      const request = checked(BatchRequest, args);
      const results = await verifyAll(call, request);
      return { results: results.map(compact) };
    },
  },
  explain_reason: {
    title: "Explain a reason, flag, or error code",
    description: "Explains what a reason, a flag, or an error code means and what to do about it. Doesn't use quota.",
    annotations: FREE,
    schema: ExplainRequest,
    output: v.object({ code: v.string(), explanation: v.string() }),
    run(args) {
      const explained = explainCode(checked(ExplainRequest, args).code);
      if (explained === null) throw validationFailed({ code: "Not a reason, flag, or error code of this service" });
      return explained;
    },
  },
};

export function listTools(): ListToolsResult {
  const tools = Object.entries(TOOLS).map(([name, { title, description, schema, output, annotations }]) => {
    const type = "object" as const;
    const inputSchema = { ...jsonSchemaOf(schema), type };
    return { name, title, description, inputSchema, outputSchema: { ...responseSchemaOf(output), type }, annotations };
  });
  return { tools };
}

/** A failure as text for a model: tool errors are results it can act on. */
function toolError(c: RequestContext, thrown: unknown): CallToolResult {
  const { error, headers } = describeError(c, thrown);
  c.set("errorCode", error.code);
  const wait = headers["Retry-After"];
  const again = wait === undefined || error.message.includes("Try again") ? "" : ` ${tryAgainIn(Number(wait))}`;
  return { content: [{ type: "text", text: `${error.code}: ${error.message}${again}` }], isError: true };
}

/** @returns the tool's result, or null if there is no such tool */
export async function callTool(name: string, args: unknown, call: VerificationCall): Promise<CallToolResult | null> {
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (tool === undefined) return null;
  try {
    const structuredContent = { ...(await tool.run(args, call)) };
    return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
  } catch (thrown) {
    return toolError(call.c, thrown);
  }
}
