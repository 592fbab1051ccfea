import { Hono } from "hono";

/** The least a JSON route can do: it reads the body, and answers what it was started with. */
export default new Hono<{ Bindings: { ANSWER: string } }>().post("/api/v1/verify", async (c) => {
  await c.req.json();
  return c.body(c.env.ANSWER, 200, { "Content-Type": "application/json" });
});
