import { ApiFailure } from "../../../lib/api/failure.ts";

/** Waits for an answer; a wrong password becomes a complaint about the field it was typed in. */
export async function atPasswordField<T>(field: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== "WRONG_PASSWORD") throw error;
    throw new ApiFailure(error.message, { ...error, fields: { ...error.fields, [field]: error.message } });
  }
}
