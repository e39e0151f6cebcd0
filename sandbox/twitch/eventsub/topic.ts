import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';

/** The parameters of a subscription, such as `{ broadcaster_user_id: '12' }`. */
export type Condition = Readonly<Record<string, string>>;

/** A type of subscriptions that the sandbox supports. */
export interface SubscriptionType {
  readonly version: string;
  readonly condition: z.ZodType<Condition>;
  broadcasters(condition: Condition): readonly string[];
}

const ofBroadcaster = (version: string): SubscriptionType => ({
  version,
  condition: z.object({ broadcaster_user_id: z.string().min(1) }),
  broadcasters: ({ broadcaster_user_id: id = '' }) => [id],
});

/** The supported types by name. */
export const SUBSCRIPTION_TYPES: ReadonlyMap<string, SubscriptionType> = new Map([
  ['stream.online', ofBroadcaster('1')],
  ['stream.offline', ofBroadcaster('1')],
  ['channel.update', ofBroadcaster('2')],
  [
    'channel.raid',
    {
      version: '1',
      // Twitch requires one of the two, and answers with both.
      condition: z
        .object({ from_broadcaster_user_id: z.string().default(''), to_broadcaster_user_id: z.string().default('') })
        .refine(({ from_broadcaster_user_id: from, to_broadcaster_user_id: to }) => (from === '') !== (to === '')),
      broadcasters: ({ from_broadcaster_user_id: from = '', to_broadcaster_user_id: to = '' }) => [from || to],
    },
  ],
  [
    'conduit.shard.disabled',
    {
      version: '1',
      condition: z.object({ client_id: z.string().min(1), conduit_id: z.string().min(1).optional() }).transform(withoutAbsent),
      broadcasters: () => [],
    },
  ],
]);

function withoutAbsent(condition: Readonly<Record<string, string | undefined>>): Condition {
  return Object.fromEntries(Object.entries(condition).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** What subscriptions with equal type, version and condition have in common. */
export function topicOf(type: string, condition: Condition): string {
  const parts = Object.entries(condition).filter(([, value]) => value !== '');
  return JSON.stringify([type, ...parts.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/** An event for subscribers. */
export interface EventSubEvent {
  readonly type: string;
  /** The conditions of the subscriptions that receive it. */
  readonly conditions: readonly Condition[];
  /** The field `event` of the notification. */
  readonly event: JsonObject;
}
