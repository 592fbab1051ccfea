import { expect, test, vi } from "vitest";
import { askUnsaved, registerUnsaved } from "./end-session.ts";

test("without a question it goes on at once, with one it waits for the answer", () => {
  const goOn = vi.fn<() => void>();
  askUnsaved(goOn);
  expect(goOn).toHaveBeenCalledTimes(1);

  const question = vi.fn<(goOn: () => void) => void>();
  const takeBack = registerUnsaved(question);
  askUnsaved(goOn);
  expect(goOn).toHaveBeenCalledTimes(1);
  question.mock.calls[0]![0]();
  expect(goOn).toHaveBeenCalledTimes(2);

  takeBack();
  askUnsaved(goOn);
  expect(goOn).toHaveBeenCalledTimes(3);
  expect(question).toHaveBeenCalledTimes(1);
});
