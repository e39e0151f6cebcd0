import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';

/** The types of events that the sandbox sends. */
export const EVENT_TYPES = ['livestream.status.updated', 'livestream.metadata.updated'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A subscription to one type of events of a channel. */
export const KickSubscription = z.object({
  id: z.string(),
  userId: z.number(),
  type: z.enum(EVENT_TYPES),
  createdMs: z.number(),
});
export interface KickSubscription extends z.output<typeof KickSubscription> {}

/** A subscription as Kick lists it. */
export function subscriptionJson({ id, userId, type, createdMs }: KickSubscription, instant: (at: Date) => string): JsonObject {
  const created = instant(new Date(createdMs));
  return {
    id,
    app_id: '01SANDBOXKICKAPP0000000000',
    broadcaster_user_id: userId,
    event: type,
    method: 'webhook',
    version: 1,
    created_at: created,
    updated_at: created,
  };
}

/** The body of a request for subscriptions. */
export const SubscribeForm = z.object({
  broadcaster_user_id: z.int().min(1),
  method: z.literal('webhook'),
  events: z
    .array(z.object({ name: z.string(), version: z.int() }))
    .min(1)
    .max(50),
});
