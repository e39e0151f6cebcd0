import { z } from 'zod';
import type { FailedAttempt } from '#src/engine/delivery/delivery-log.ts';
import { DeliveryAnswer, documented, StepPositionAnswer } from './answers.ts';
import { toDeliveryView } from './deliveries.ts';
import type { ShownDelivery } from './records.ts';

const instant = (about: string) => z.date().optional().describe(about);

/** A delivery with its attempts, in an answer. */
export const DeliveryDetailsAnswer = DeliveryAnswer.extend({
  position: StepPositionAnswer.describe('The step as data.'),
  firstAttemptAt: instant('When the first attempt began; absent before it.'),
  lastAttemptAt: instant('When the last attempt began.'),
  nextAttemptAt: instant('When Fanfare attempts it next; absent if it does not.'),
  lostAt: instant('When an attempt ended without an answer.'),
  failures: z
    .array(
      z.object({
        at: z.date().describe('When the attempt began.'),
        fault: z.string().describe('The kind of the error, for example `rateLimited`.'),
        message: z.string().describe('The error.'),
      }),
    )
    .readonly()
    .describe('The last 50 attempts that failed, oldest first; without those before Fanfare stored them.'),
  resends: z
    .array(
      z.object({
        by: z.string().describe('The person.'),
        at: z.date().describe('When the person sent it again.'),
        failure: z.string().optional().describe('Why it had failed.'),
      }),
    )
    .readonly()
    .describe('Who sent it again after a failure, oldest first.'),
}).meta({
  examples: [
    {
      ...exampleOf(DeliveryAnswer.meta()?.examples),
      position: { id: 'post', section: 'then', number: 1 },
      firstAttemptAt: '2026-11-20T17:59:00.000Z',
      lastAttemptAt: '2026-11-20T17:59:00.000Z',
      settledAt: '2026-11-20T17:59:01.000Z',
      failures: [],
      resends: [],
    },
  ],
});

function exampleOf(examples: unknown): object {
  const first: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return typeof first === 'object' && first !== null ? first : {};
}

/** A delivery as data, with its attempts. */
export function toDeliveryDetails(delivery: ShownDelivery, failed: readonly FailedAttempt[]): z.output<typeof DeliveryDetailsAnswer> {
  const { position, state, since, attemptedAt, dueAt, lostAt, resends = [] } = delivery;
  return {
    ...documented(DeliveryAnswer, toDeliveryView(delivery)),
    position,
    firstAttemptAt: since,
    lastAttemptAt: attemptedAt ?? since,
    nextAttemptAt: state === 'pending' && since !== undefined ? dueAt : undefined,
    lostAt,
    failures: failed.map(({ atMs, fault, message }) => ({ at: new Date(atMs), fault, message })),
    resends: resends.map(({ by, atMs, failure }) => ({ by, at: new Date(atMs), failure })),
  };
}
