import { Checkline } from "../src/index.js";
import type { ChecklineOptions } from "../src/index.js";
import { InputError } from "./failure.ts";

/** A client with the environment's key and address. @throws InputError for one that is missing or wrong */
export function createClient(options: ChecklineOptions = {}): Checkline {
  try {
    return new Checkline(options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // It names the options of a program; here they are variables.
    const said = error.message
      .replace(/Pass \w+ or set/, "Set")
      .replace("apiKey", "CHECKLINE_API_KEY")
      .replace("The base URL", "CHECKLINE_BASE_URL");
    throw new InputError(said);
  }
}
