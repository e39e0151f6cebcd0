import { z } from 'zod';
import { RESTRICTIONS } from '#src/clients/operation/audience.ts';
import type { Declared, Watch } from '#src/clients/operation/declared.ts';
import { commandKeys } from './command-file.ts';
import { webhookKeys } from './webhook-file.ts';
import { accountNames, condition, duration, maxAge, parameters, verb } from './scalars.ts';

const field = z.string().min(1).describe('A numeric field of the item, or the path of one.');
const lines = z.union([z.number(), z.array(z.number()).min(1).max(100)]);
const rearm = lines.optional().describe('The threshold fires again after the field was back at this value. Default: the threshold.');

const ChangeMap = z
  .strictObject({
    moved: z.enum(['up', 'down']).optional().describe('The rank of the item changed in this direction.'),
    changed: z
      .array(z.string().min(1))
      .min(1)
      .max(50)
      .optional()
      .describe('One of these fields changed. A field may be a path, for example `game.name`.'),
    rose: z
      .strictObject({
        field,
        above: lines.optional().describe('One threshold or several. Each threshold fires separately.'),
        every: z
          .number()
          .positive()
          .optional()
          .describe(
            'Instead of `above`: fires when the number reaches a multiple of this number, for example 100, 200 and 300. Each multiple fires once in an episode, and a jump over several multiples fires once, for the last one.',
          ),
        rearm,
      })
      .meta({ oneOf: [{ required: ['above'] }, { required: ['every'] }] })
      .optional()
      .describe('A number rose above a threshold, or reached a multiple of `every`.'),
    fell: z
      .strictObject({ field, below: lines.describe('One threshold or several. Each threshold fires separately.'), rearm })
      .optional()
      .describe('A number fell below a threshold.'),
  })
  .meta({ minProperties: 1, maxProperties: 1 });

/** A change of the list, as written. */
const ChangeFile = z.union([z.enum(['entered', 'left', 'moved']), ChangeMap]);

const confirm = z.union([
  z.int().min(1),
  z.strictObject({
    new: z.int().min(1).optional().describe('The polls before an item counts as new. Default: 1.'),
    gone: z.int().min(1).optional().describe('The polls before an item counts as gone. Default: 2.'),
  }),
]);

const dates = z.string().min(1);

const weeks = z.strictObject({
  every: z.int().min(2).max(52).describe('2 for each second week, 3 for each third week.'),
  from: z
    .string()
    .describe(
      'The first day of the first week, for example 2026-01-05. The rule does not run before it. Each week begins on this weekday.',
    ),
});

const except = z.strictObject({
  dates: z
    .union([dates, z.array(dates).min(1).max(400)])
    .describe(
      'The days in the time zone of the rule: a day (2030-12-25), a day of each year (12-25), a span with its first and last day (2030-12-24/2031-01-06), or a list of these.',
    ),
  then: z
    .enum(['skip', 'next'])
    .optional()
    .describe(
      'What happens to a run on such a day: `skip` leaves it out, `next` moves it to the next other day, at the same time of day. Two runs at one time are one run. Default: skip.',
    ),
});

/** The `when` of a rule file. */
export const WhenFile = z
  .strictObject({
    every: duration.optional().describe('The interval of polls: a fixed grid in UTC. At least 5s.'),
    cron: z.string().optional().describe('The times of polls, as a cron expression with five or six fields.'),
    at: z
      .string()
      .optional()
      .describe('The time of a single run: an instant as 2030-12-24T18:00:00+01:00, or a local time as 2030-12-24 18:00 with `timezone`.'),
    timezone: z
      .string()
      .optional()
      .describe('The time zone of `cron`, of a local `at`, and of `quiet` without a `timezone`. Default: UTC.'),
    missed: z
      .enum(['skip', 'once', 'all'])
      .optional()
      .describe(
        'Which slots run after Fanfare was down: none (`skip`), the latest (`once`), or, without `watch`, the latest `max` (`all`). Default: once.',
      ),
    maxAge: maxAge
      .optional()
      .describe(
        'The greatest age of what is announced. In a feed, for example of posts, clips, messages or articles, an item is never announced if it is older when a poll shows it for the first time, or when `where` holds for it for the first time. In other lists, this counts only after a gap in the polls. A missed slot that is older does not run. With `cron`, write more than the time between two polls. With a `where` on likes, views or reactions, write the time in which they can grow. At least 1s. Default: 1h, or twice `every` if that is longer.',
      ),
    watch: verb.optional().describe('The operation that reads the watched list. Without it, `then` runs at each slot.'),
    with: parameters.optional().describe('The parameters of the operation. Expressions can read only `vars`, `each` and `lists`.'),
    people: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A list whose entries are watched on all platforms, with one item and one episode for each entry. `item.person` is the entry; a field that it lacks is empty text, false or an absent value. `item.accounts` has one entry for each platform on which the person is live. Default of `watch`: streaming.getStreams.',
      ),
    account: accountNames
      .optional()
      .describe(
        'The account that reads, or several accounts. With several accounts, each item has `account`, and `accounts` with one entry for each account that has the item: items of several accounts with the same `key` are one item. The top streams of several accounts are one list, ranked by viewers; other lists follow one another. With `command`, the Discord servers that offer it. Default: the account in `defaults` of fanfare.yaml, else the only connected account.',
      ),
    include: z
      .array(z.enum(RESTRICTIONS))
      .min(1)
      .max(RESTRICTIONS.length)
      .optional()
      .describe(
        'Items that not everyone can read and that count too: posts for `followers`, and `direct` posts and messages. Default: only items that everyone can read.',
      ),
    where: condition
      .optional()
      .describe(
        'A condition on `item`. Items that do not fit are ignored. It needs `watch`: with `webhook`, write the condition as `if` of the rule.',
      ),
    take: z
      .int()
      .min(1)
      .optional()
      .describe(
        'The number of items that count, from the first item on. `where` comes first: of the items that it leaves out, none counts.',
      ),
    key: condition
      .optional()
      .describe(
        'An expression on `item` with its key. Fanfare stores a key of more than 500 characters as its hash. Default: the id of the item; of a stream, the id of its channel: `item.owner.id`; of an edited post on X, the id of its first version: `item.firstVersionId`. With `webhook`: the id of the payload, for a sender that signs no id. A payload with a known key is not processed again. Default: the signed id, else the digest of the body.',
      ),
    changes: z.array(ChangeFile).min(1).max(50).optional().describe('The changes of the list that fire. Default: [entered].'),
    confirm: confirm
      .optional()
      .describe(
        'How many polls in a row must show a new item, or lack a known one: a number for both, or { new, gone }. Default: 1 and 2.',
      ),
    settle: duration.optional().describe('How long an item must be in the list, or a new value must hold, before it counts. Default: 0s.'),
    grace: duration.optional().describe('How long an item may be missing before its episode ends. Default: 0s.'),
    within: duration
      .optional()
      .describe(
        'With `every`: the longest acceptable time between a change at the platform and the poll that shows it. While the platform notifies Fanfare about all watched names, the rule is polled at least this often, else at `every`. If it is shorter than `every`, the rule is always polled this often. Default: ten times `every`, at most 10m, and never longer than `maxAge`.',
      ),
    first: z.enum(['silent', 'fire']).optional().describe('Whether the rule announces the items of the first poll. Default: silent.'),
    per: z
      .enum(['item', 'poll', 'slot'])
      .optional()
      .describe('The subject of a firing: an item, all `changes` of a poll, or a slot with or without changes. Default: item.'),
    weeks: weeks.optional().describe('With `cron`: only each second, third or later week.'),
    except: except.optional().describe('With `cron`: days on which the rule does not run.'),
    ...commandKeys,
    ...webhookKeys,
  })
  .meta({ id: 'when', description: 'The schedule of the rule, and the list that it watches.' });

/** The keys of `when` that need `watch`. A key that changes which items are watched also belongs to `definition` in check-watch.ts. */
export const ABOUT_WATCH = [
  'within',
  'people',
  'with',
  'account',
  'include',
  'where',
  'take',
  'key',
  'changes',
  'confirm',
  'settle',
  'grace',
  'first',
  'per',
];

/** The events that start a rule in place of a schedule, with the keys of {@link ABOUT_WATCH} that have another meaning for such a rule. */
export const EVENT_KEYS = {
  // The account of a command is its server, and the key of a webhook is its id.
  command: { own: ['account'] },
  webhook: { own: ['key'] },
} as const;

/** The operation that `people` polls, without `watch`. */
export const PEOPLE_WATCH = 'streaming.getStreams';

/** The keys of `when` with expressions on an item. Expressions in other keys are fixed at load. */
export const ON_ITEM: readonly string[] = ['where', 'key'];

/** Parameters that polls do not take: a poll has its own pace and starts at the first page. */
export const NOT_FOR_POLLS: readonly string[] = ['waitTime', 'cursor'];

/** The kind of a list, which decides what a missing item means; undefined if rules cannot watch the operation. */
export function watchKind(declared: Declared | undefined): Watch | undefined {
  return declared?.kind === 'list' || declared?.kind === 'read' ? declared.watch : undefined;
}
