import { expect, it } from "vitest";
import { formatE164 } from "../../worker/phone/format.ts";
import { answer } from "../../worker/verification/answer.ts";
import { verifyNumber } from "../../worker/verification/engine.ts";
import { examples } from "../google-oracle.ts";

const DAY = "2026-11-26";

it("returns the engine's texts", () => {
  const inputs = examples().flatMap((number) => [formatE164(number), `${formatE164(number)} ext. 12`]);
  for (const input of [...inputs, "not a number", ""]) {
    expect(answer("live", input, {}, DAY).result).toEqual(verifyNumber(input, undefined, DAY));
  }
  expect(answer("live", "+51 1 1234567 ext. 12", {}, DAY).result).toMatchObject({
    local_format: "(01) 1234567 Anexo 12",
  });
});
