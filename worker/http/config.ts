import type { MiddlewareHandler } from "hono";
import { ConfigError, configOf } from "../config.ts";
import type { AppEnv } from "../env.ts";
import { ApiError } from "../api-error.ts";
import { logFailure } from "./log.ts";

/** Leaves the configuration in `config`. Without a safe one nothing is served, and the log says what to set. */
export function readConfig(): MiddlewareHandler<AppEnv> {
  return async function config(c, next) {
    try {
      c.set("config", configOf(c.env));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      logFailure(c.get("requestId"), error);
      throw new ApiError("TEMPORARILY_UNAVAILABLE", { message: "The service has not been set up completely." });
    }
    await next();
  };
}
