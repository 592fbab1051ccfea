import type { Message, MessageBatch } from "@cloudflare/workers-types";

export interface Delivery {
  readonly batch: MessageBatch<unknown>;
  /** What the consumer did: acknowledged everything, or retried some after this many seconds. */
  outcome: { readonly acked: boolean; readonly retriedAfter: number | null };
}

interface QueuedMessage {
  readonly id: string;
  readonly body: unknown;
  readonly attempts?: number;
  /** When it was sent, in milliseconds since the Unix epoch. */
  readonly sentAt?: number;
}

/** A queue's batch for its consumer, which records the consumer's outcome. */
export function deliver(queue: string, queued: readonly QueuedMessage[]): Delivery {
  const acked = new Set<string>();
  function settle(id: string, retriedAfter: number | null): void {
    if (retriedAfter === null) acked.add(id);
    const retried = Math.max(retriedAfter ?? 0, delivery.outcome.retriedAfter ?? 0);
    delivery.outcome = { acked: acked.size === queued.length, retriedAfter: retried || null };
  }
  const messages = queued.map(({ id, body, attempts = 1, sentAt = 0 }): Message<unknown> => ({
    id,
    body,
    attempts,
    timestamp: new Date(sentAt),
    ack: () => settle(id, null),
    retry: (options) => settle(id, options?.delaySeconds ?? 0),
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
