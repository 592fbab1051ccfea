import { Hono } from "hono";

const JSON_TYPE = { "Content-Type": "application/json" };

/** The least a JSON route can do: it reads the body, and returns a fixed response. */
export default new Hono<{ Bindings: { ANSWER: string } }>().on(
  "POST",
  ["/api/v1/verify", "/api/v1/verify/batch"],
  async (c) => {
    await c.req.json();
    return c.body(c.env.ANSWER, 200, JSON_TYPE);
  },
);
