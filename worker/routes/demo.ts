import { Hono } from "hono";
import { MAX_BODY_BYTES } from "../../contract/limits.ts";
import { DemoRequest } from "../../contract/verification.ts";
import type { AppEnv } from "../env.ts";
import { limitBody, readBody } from "../http/body.ts";
import { countDemo, demoBackstop } from "../http/demo-limit.ts";
import { requireSameOrigin } from "../http/same-origin.ts";
import { verifyNumber } from "../verification/engine.ts";

/**
 * `POST /demo/lookup`: the landing page's "Check it for real". It answers as a live key does, without one, to our own pages. What is
 * malformed is no look-up and is not counted, so the platform's limiter stands before it.
 */
export const demoRoutes = new Hono<AppEnv>().post(
  "/demo/lookup",
  requireSameOrigin("DEMO_ORIGIN_REFUSED"),
  limitBody(MAX_BODY_BYTES),
  async (c) => {
    await demoBackstop(c);
    const { number } = await readBody(c, DemoRequest);
    await countDemo(c);
    return c.json(verifyNumber(number));
  },
);
