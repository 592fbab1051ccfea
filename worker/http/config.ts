import type { MiddlewareHandler } from "hono";
import { ConfigError, parseConfig } from "../config.ts";
import type { Config, Settings } from "../config.ts";
import type { AppEnv } from "../env.ts";
import { ApiError } from "../api-error.ts";
import { logFailure } from "./log.ts";

/** Settings do not change while an isolate runs. */
const parsed = new WeakMap<Settings, Config>();

/** The configuration behind these bindings. @throws ConfigError when the service must not run. */
export function configOf(env: Settings): Config {
  let config = parsed.get(env);
  if (config === undefined) parsed.set(env, (config = parseConfig(env)));
  return config;
}

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
