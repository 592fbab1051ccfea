import type { D1Database, D1PreparedStatement } from "@cloudflare/workers-types";

/**
 * A local worker's database, at a tenth of the CPU time of miniflare's proxy, which makes separate calls for preparing
 * a statement, binding its values, and running it. Here all of that is one call to a helper worker.
 */

interface Query {
  readonly sql: string;
  readonly values: readonly unknown[];
}

type How = "all" | "raw" | "first" | "run" | "batch" | "exec";

/** A worker with the binding DB. It runs a `[how, queries]` request, and returns D1's result. */
export const D1_SERVICE = `
export default {
  async fetch(request, { DB }) {
    const [how, queries] = await request.json();
    try {
      if (how === "exec") return Response.json({ value: await DB.exec(queries[0].sql) });
      const statements = queries.map(({ sql, values }) => DB.prepare(sql).bind(...values));
      const value = how === "batch" ? await DB.batch(statements) : await statements[0][how]();
      return Response.json({ value });
    } catch (error) {
      return Response.json({ error: error.message, cause: error.cause?.message });
    }
  },
};
`;

interface Reply {
  readonly value?: unknown;
  readonly error?: string;
  readonly cause?: string;
}

// Tests may replace it.
const { fetch } = globalThis;

/** @param url where D1_SERVICE listens */
export function connectD1(url: URL): D1Database {
  async function call<T>(how: How, queries: readonly Query[]): Promise<T> {
    // JSON would turn it into null.
    if (queries.some(({ values }) => values.includes(undefined))) throw new TypeError("D1 takes no undefined");
    const response = await fetch(url, { method: "POST", body: JSON.stringify([how, queries]) });
    const { value, error, cause } = (await response.json()) as Reply;
    if (error !== undefined) throw new Error(error, cause === undefined ? {} : { cause: new Error(cause) });
    return value as T;
  }

  const queryOf = new WeakMap<object, Query>();

  function prepare(sql: string, values: readonly unknown[] = []): D1PreparedStatement {
    const query = { sql, values };
    const run = (how: How) => () => call(how, [query]);
    const statement = {
      bind: (...bound: unknown[]) => prepare(sql, bound),
      all: run("all"),
      raw: run("raw"),
      first: run("first"),
      run: run("run"),
    } as unknown as D1PreparedStatement;
    queryOf.set(statement, query);
    return statement;
  }

  const database: Pick<D1Database, "prepare" | "batch" | "exec"> = {
    prepare: (sql) => prepare(sql),
    batch: (statements) =>
      call(
        "batch",
        statements.map((statement) => queryOf.get(statement)!),
      ),
    exec: (sql) => call("exec", [{ sql, values: [] }]),
  };
  return database as D1Database;
}
