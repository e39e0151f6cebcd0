import { z } from 'zod';
import type { Fault } from '#src/errors.ts';
import { DURATION, parseDuration } from '#src/clients/operation/duration.ts';
import { isZone } from '#src/clients/operation/zone.ts';

/** The state of a delivery. */
export const deliveryState = z.enum(['sent', 'failed', 'unknown', 'skipped', 'pending', 'sending', 'asked']);

/** The fault of a failure. */
export const FaultName = z.enum([
  'unreachable',
  'unanswered',
  'unavailable',
  'rateLimited',
  'quotaExhausted',
  'unauthorized',
  'forbidden',
  'missing',
  'rejected',
  'duplicate',
  'malformed',
]) satisfies z.ZodType<Fault>;

/** A time zone. */
export const timezone = z.string().refine(isZone, 'is not a time zone, as Europe/Paris');

/** An instant, or the time to go back from now: then its milliseconds. */
export const since = z.union([
  z.date(),
  z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  z
    .string()
    .regex(DURATION, 'is neither a timestamp nor a duration, as 7d')
    .transform((text, context) => {
      const ms = parseDuration(text);
      if (ms !== undefined) return ms;
      context.addIssue({ code: 'custom', message: 'is too long' });
      return z.NEVER;
    }),
]);

/** The instant that `since` means, in milliseconds since 1970. */
export function sinceMsOf(value: z.output<typeof since> | undefined, nowMs: number): number | undefined {
  return typeof value === 'number' ? nowMs - value : value?.getTime();
}
