import { expect, test, vi } from "vitest";
import { confirmLeaving, guardLeaving } from "./end-session.ts";

test("without a question it continues immediately, with one it waits for the response", () => {
  const goOn = vi.fn<() => void>();
  confirmLeaving(goOn);
  expect(goOn).toHaveBeenCalledTimes(1);

  const question = vi.fn<(goOn: () => void) => void>();
  const takeBack = guardLeaving(question);
  confirmLeaving(goOn);
  expect(goOn).toHaveBeenCalledTimes(1);
  question.mock.calls[0]![0]();
  expect(goOn).toHaveBeenCalledTimes(2);

  takeBack();
  confirmLeaving(goOn);
  expect(goOn).toHaveBeenCalledTimes(3);
  expect(question).toHaveBeenCalledTimes(1);
});
