import { z } from 'zod';
import { Person } from '#src/clients/operation/record.ts';
import { Container } from '#src/clients/paging/container.ts';
import { deliveryState, FaultName } from './parameters.ts';

const number = z.number().optional();

/** The numbers of an item. */
const numbers = z.object({
  viewerCount: number.describe('Of a stream.'),
  viewCount: number.describe('Of a video or a clip.'),
  liveChannelCount: number.describe('Of a game.'),
  followerCount: number.describe('Of a user.'),
  postCount: number.describe('Of a topic or a user.'),
  memberCount: number.describe('Of a list or a community.'),
});

const episode = z.object({
  id: z.string().describe('The id of the rule and of the episode.'),
  rule: z.string().describe('The id of the rule; for an instance of `each`, with the names of its values.'),
  key: z.string().describe('The identity of the item.'),
  platform: z.string().optional().describe('The platform of the item, for example `twitch`.'),
  title: z.string().optional().describe('The title or the name of the item at its last poll.'),
  url: z.string().optional().describe('The web address of the item.'),
  owner: Person.optional().describe('The owner or the author of the item.'),
  game: z
    .object({ id: z.string().optional().describe("The platform's id."), name: z.string().describe('The name.') })
    .optional()
    .describe('The game at the last poll.'),
  visibility: z
    .enum(['public', 'unlisted', 'followers', 'direct', 'private'])
    .optional()
    .describe('The audience of the item, if it is a post, a message or a list.'),
  startedAt: z.date().describe('The start: the start time of the item, else its first poll.'),
  endedAt: z.date().optional().describe('The end; absent while it lasts.'),
  lengthMs: z.number().describe('The length up to the last poll with the item.'),
  peak: numbers.describe('The highest value of each number of the item. Empty if the rule sends only `then`: its numbers are not stored.'),
  announced: z.boolean().describe('Whether its `then` ran.'),
});

/** The time of an item in the list of a rule. */
export interface Episode extends z.output<typeof episode> {}
export const Episode: z.ZodType<Episode> = episode;

/** Episodes of one rule. */
export class Episodes extends Container<Episode> {}

const delivery = z.object({
  delivery: z.string().describe('The id of the delivery, for example for `fanfare resend`.'),
  rule: z.string().describe('The id of the rule; for an instance of `each`, with the names of its values.'),
  key: z.string().optional().describe('The identity of the item; absent if the rule fires for a whole poll or slot.'),
  step: z.string().describe('The id of the step; without one, its position in its list, from 0.'),
  do: z.string().describe('The operation, for example `social.createPost`.'),
  account: z.string().describe('The account.'),
  state: deliveryState.describe(
    '`sent`, `failed` (after the last retry), `unknown`, `skipped`, or a state of a delivery that is not finished.',
  ),
  reason: z.string().optional().describe('Why it failed, was skipped, or is unknown.'),
  platform: z.string().optional().describe('The platform of the record that was sent.'),
  id: z.string().optional().describe('The id of the record that was sent, for example of a post.'),
  url: z.string().optional().describe('The web address of the record that was sent.'),
  text: z.string().optional().describe('The text that was sent, or was to be sent.'),
  visibility: z.enum(['public', 'followers', 'direct']).describe('The audience of what was sent.'),
  watches: z.string().optional().describe('The operation that the rule watches.'),
  decidedAt: z.date().describe('When the rule decided it.'),
  sentAt: z.date().optional().describe('When it was sent.'),
});

/** One step of a firing through one account. */
export interface Delivery extends z.output<typeof delivery> {}
export const Delivery: z.ZodType<Delivery> = delivery;

/** Deliveries of rules. */
export class Deliveries extends Container<Delivery> {}

const outage = z.object({
  id: z.string().describe('The name of the account.'),
  account: z.string().describe('The name of the account.'),
  reads: z.boolean().describe('Whether the last read succeeded.'),
  writes: z.boolean().describe('Whether the last write succeeded.'),
  fault: FaultName.describe('The [fault](errors.md) of the failure.'),
  reason: z.string().describe('The error.'),
  startedAt: z.date().describe('The first failure.'),
});

/** An account that cannot be read or written. */
export interface Outage extends z.output<typeof outage> {}
export const Outage: z.ZodType<Outage> = outage;

/** Accounts that cannot be read or written. */
export class Outages extends Container<Outage> {}

const total = z.object({
  id: z.string().describe('The first day of the period, for example `2026-11-20`.'),
  startsAt: z.date().describe('The start of the period.'),
  count: z.number().int().describe('The number of episodes that began in the period.'),
  lengthMs: z.number().describe('The length of all episodes within the period: cut at midnight.'),
  peak: numbers.describe('The highest value of each number, of all episodes in the period. Empty if the rule sends only `then`.'),
  average: numbers.describe('The average of each number by time. Empty if the rule does not read `episode.average`.'),
});

/** The totals of a period. */
export interface Total extends z.output<typeof total> {}
export const Total: z.ZodType<Total> = total;

/** The totals of a rule. */
export class Totals extends Container<Total> {}
