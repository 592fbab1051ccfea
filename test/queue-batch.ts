import type { Message, MessageBatch } from "@cloudflare/workers-types";

export interface Delivery {
  readonly batch: MessageBatch<unknown>;
  /** What the consumer did with it: acknowledged it, or asked for it again after so many seconds. */
  outcome: { readonly acked: boolean; readonly retriedAfter: number | null };
}

interface Letter {
  readonly id: string;
  readonly body: unknown;
  readonly attempts?: number;
}

/** What a queue hands its consumer, with a note of the consumer's answer. */
export function deliver(queue: string, letters: readonly Letter[]): Delivery {
  function only(): never {
    throw new Error("Deliveries are answered as a whole");
  }
  const messages = letters.map(({ id, body, attempts = 1 }): Message<unknown> => ({
    id,
    body,
    attempts,
    timestamp: new Date(0),
    ack: only,
    retry: only,
  }));
  const delivery: Delivery = {
    outcome: { acked: false, retriedAfter: null },
    batch: {
      queue,
      messages,
      metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
      ackAll: () => {
        delivery.outcome = { acked: true, retriedAfter: null };
      },
      retryAll: (options) => {
        delivery.outcome = { acked: false, retriedAfter: options?.delaySeconds ?? 0 };
      },
    },
  };
  return delivery;
}
