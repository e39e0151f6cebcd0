import { z } from 'zod';
import type { NotifierReport } from '#src/clients/operation/notifier.ts';
import type { Coverage } from '#src/engine/coverage.ts';
import { takesHints } from '#src/engine/hints.ts';
import { isCovered, notifiedNames } from '#src/engine/notified-rules.ts';
import type { PollWait } from '#src/engine/planner/poll-pace.ts';
import { restIntervalMs, type RestingSince } from '#src/engine/scheduler/rest.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { clientOf } from '#src/rules/check/choose-accounts.ts';
import { waitBeforeAnnouncement } from '#src/rules/check/check-within.ts';
import { type PollBudget, pollRateOf, shortBudgets } from '#src/rules/poll-budget.ts';
import { requestLoad, type AccountLoad } from '#src/rules/request-load.ts';
import { requestsAlone, requestShare } from '#src/rules/request-share.ts';
import type { Rule, Watched } from '#src/rules/rule.ts';

/** The operations about whose answers the gateway of Discord notifies. They have no list of covered names, so their rules have no rest. */
const OF_GATEWAY = new Set(['discord.getMessages', 'discord.getMembers', 'discord.getVoiceMembers']);
const RULES_SHOWN = 5;

const count = z.int().min(0);
const perHour = z.number().min(0);

/** How a rule learns of changes, and what its polls cost. */
export const PollingAnswer = z
  .object({
    notifications: z
      .enum(['all', 'some', 'none', 'hints', 'unknown'])
      .describe(
        'Whether platforms notify about the names of the rule. `hints`: Discord notifies, and every slot is polled. `unknown`: no running process answered.',
      ),
    everyMs: z.int().optional().describe('The interval of the schedule. Absent: the rule polls at times of a calendar.'),
    pollsEveryMs: z.int().optional().describe('The time between two polls now.'),
    why: z
      .enum(['every', 'within', 'rest', 'waits', 'fields', 'budget', 'calendar'])
      .describe(
        'The reason. `every`, `within`: the key of the rule. `rest`: the platform notifies, and nothing waits. `waits`: the last poll showed a change, or something waits. `fields`: the rule needs values that no notification reports. `budget`: the rate limit allows no more. `calendar`: it polls at its times only.',
      ),
    restsEveryMs: z.int().optional().describe('The time between two polls while the rule is at rest. Absent: it has no rest.'),
    waitsMs: z.int().describe('How long `settle` or `confirm` delays each announcement.'),
    longestDelayMs: z
      .int()
      .optional()
      .describe(
        'The longest time from a change at the platform to its announcement, if all notifications are lost and no poll fails. Without the time of the delivery.',
      ),
    requestsPerHour: perHour.describe(
      'The requests of its polls now, without those of notifications. Rules that share a request divide it.',
    ),
    accounts: z
      .array(
        z.object({
          account: z.string().describe('The account.'),
          names: count.optional().describe('The number of names in the query, if the platform can notify about them.'),
          notified: count.optional().describe('The number of names about which the platform notifies.'),
          problem: z.string().optional().describe('Why it does not notify about all of them.'),
          unit: z.enum(['requests', 'points']).describe('What the platform counts.'),
          requestsPerHour: perHour.describe('The requests of the rule.'),
          allPerHour: perHour.describe('The requests of all rules, if each slot is polled.'),
          allowedPerHour: perHour.optional().describe('The requests that polls may take. Absent: the limit is unknown.'),
          monthUsd: z.number().min(0).optional().describe('The highest price of its polls in a month. Absent: they cost no money.'),
        }),
      )
      .readonly()
      .describe('Its accounts.'),
    waiting: z
      .object({
        account: z.string().describe('The account.'),
        since: z.date().describe('Since when.'),
        waitedMs: z.int().describe('For how long.'),
        moreMs: z.int().describe('The estimated time until the poll begins.'),
        before: z.array(z.string()).readonly().describe('Rules whose polls go first because of their priority, at most five.'),
        beforeCount: count.describe('The number of all these rules.'),
      })
      .optional()
      .describe('The poll that waits for the rate limit of its account. Absent: none waits.'),
  })
  .describe('How the rule learns of changes, how late, and at which cost.');

export type Polling = z.output<typeof PollingAnswer>;

/** What a process that polls knows about its polls. */
export interface LivePolls {
  readonly coverage: Pick<Coverage, 'covers' | 'coversChanges' | 'operationOf'>;
  /** The rest of the rule; absent: it needs its next slots. */
  readonly resting?: RestingSince | undefined;
  readonly waitOf: (rule: string) => PollWait | undefined;
}

/** The requests that all rules need. With thousands of rules, it takes a tenth of a second to compute. */
export interface PollDemand {
  readonly rules: readonly Rule[];
  readonly loads: readonly AccountLoad[];
  readonly short: readonly PollBudget[];
}

/** What the running rules need. Rules with lists have their entries. */
export function pollDemandOf(rules: readonly Rule[], accounts: Accounts): PollDemand {
  return { rules, loads: requestLoad(rules, accounts), short: shortBudgets(rules, accounts) };
}

interface PollingOptions {
  readonly demand: PollDemand;
  readonly accounts: Accounts;
  /** Absent: no process runs. */
  readonly live?: LivePolls | undefined;
  /** The connections over which platforms notify, by account. */
  readonly reports: ReadonlyMap<string, NotifierReport>;
  /** The price of the polls of a month, by account. */
  readonly prices: ReadonlyMap<string, number>;
  /** How often the rule runs, on the average of a day. */
  readonly runsPerMinute: number;
  readonly nowMs: number;
}

/** How a rule learns of changes, and what its polls cost; undefined for a rule that watches nothing. A rule with lists has its entries. */
export function pollingOf(rule: Rule, options: PollingOptions): Polling | undefined {
  const { watched, schedule } = rule;
  if (!watched || 'command' in schedule || 'webhook' in schedule) return undefined;
  const { live, nowMs } = options;
  const notified = live && takesHints(rule) ? watched.accounts.map((account) => ({ account, ...coverageOf(watched, account, live) })) : [];
  const notifications = live ? kindOf(watched, notified, rule) : 'unknown';
  const everyMs = 'everyMs' in schedule ? schedule.everyMs : undefined;
  const awakeMs = everyMs === undefined ? 0 : awakeIntervalMs(rule, { everyMs, short: options.demand.short });
  const interval = everyMs === undefined ? { why: 'calendar' as const } : intervalOf(rule, { ...options, notifications, everyMs, awakeMs });
  const waitsMs = waitBeforeAnnouncement(watched, awakeMs);
  const accounts = watched.accounts.map((account) => accountOf(rule, account, { ...options, interval, notified }));
  const wait = live?.waitOf(rule.id);
  return {
    notifications,
    everyMs,
    ...interval,
    waitsMs,
    longestDelayMs: everyMs === undefined ? undefined : longestDelay({ waitsMs, awakeMs, ...interval }),
    requestsPerHour: accounts.reduce((sum, { requestsPerHour }) => sum + requestsPerHour, 0),
    accounts,
    waiting: wait && {
      account: wait.account,
      since: new Date(wait.sinceMs),
      waitedMs: nowMs - wait.sinceMs,
      moreMs: wait.moreMs,
      before: wait.before.slice(0, RULES_SHOWN),
      beforeCount: wait.before.length,
    },
  };
}

interface NotifiedAccount {
  readonly account: string;
  readonly names?: number;
  readonly notified?: number;
}

function coverageOf(watched: Watched, account: string, { coverage }: LivePolls): Omit<NotifiedAccount, 'account'> {
  const found = notifiedNames(watched, { account, coverage });
  if (!found) return {};
  const { names, isNotified } = found;
  return { names: names.length, notified: names.filter(isNotified).length };
}

function kindOf({ verb }: Watched, notified: readonly NotifiedAccount[], rule: Rule): Polling['notifications'] {
  if (OF_GATEWAY.has(verb) && takesHints(rule)) return 'hints';
  if (notified.every((one) => (one.notified ?? 0) === 0)) return 'none';
  return notified.every(({ names, notified: some }) => names !== undefined && names === some) ? 'all' : 'some';
}

type Interval = Pick<Polling, 'pollsEveryMs' | 'restsEveryMs' | 'why'>;

interface IntervalOptions extends PollingOptions {
  readonly notifications: Polling['notifications'];
  readonly everyMs: number;
  /** The time between two polls of the rule without a rest. */
  readonly awakeMs: number;
}

/** The time between two polls of a rule that has no rest: its interval, or what the rate limits of its accounts allow. */
function awakeIntervalMs(
  { watched, priority = 'normal' }: Rule,
  { everyMs, short }: { readonly everyMs: number; readonly short: readonly PollBudget[] },
): number {
  const its = short.filter(({ client, account }) => watched && client === clientOf(watched.verb) && watched.accounts.includes(account));
  return Math.max(everyMs, ...its.map(({ intervalMs }) => intervalMs(everyMs, priority)));
}

function intervalOf(rule: Rule, { live, notifications, everyMs, awakeMs }: IntervalOptions): Interval {
  const { withinMs } = rule;
  const isAll = notifications === 'all';
  const restsEveryMs = isAll ? restIntervalMs(rule) : undefined;
  const covers = (isEmpty: boolean): boolean => live !== undefined && isCovered(rule, { coverage: live.coverage, isEmpty });
  if (restsEveryMs !== undefined && live?.resting && covers(live.resting.isEmpty))
    return { pollsEveryMs: restsEveryMs, restsEveryMs, why: 'rest' };
  if (awakeMs > everyMs) return { pollsEveryMs: awakeMs, restsEveryMs, why: 'budget' };
  if (restsEveryMs !== undefined) return { pollsEveryMs: everyMs, restsEveryMs, why: covers(false) ? 'waits' : 'fields' };
  const isShortened = withinMs !== undefined && (withinMs <= everyMs || isAll);
  return { pollsEveryMs: everyMs, why: isShortened ? 'within' : 'every' };
}

/** A change waits for the next poll. With `settle` or `confirm`, a later poll decides, and the rule has no rest until then. */
function longestDelay({
  waitsMs,
  awakeMs,
  restsEveryMs = 0,
}: Pick<Interval, 'restsEveryMs'> & { readonly waitsMs: number; readonly awakeMs: number }): number {
  return Math.max(awakeMs, restsEveryMs) + Math.ceil(waitsMs / awakeMs) * awakeMs;
}

interface AccountOptions extends PollingOptions {
  readonly interval: Interval;
  readonly notified: readonly NotifiedAccount[];
}

function accountOf(rule: Rule, account: string, options: AccountOptions): Polling['accounts'][number] {
  const { demand, accounts, reports, prices, interval, notified, live } = options;
  const client = clientOf(rule.watched?.verb ?? '');
  const { names, notified: some } = notified.find((one) => one.account === account) ?? {};
  const load = demand.loads.find((one) => one.client === client && one.account === account);
  const rate = pollRateOf(accounts, account);
  const everyMs = 'everyMs' in rule.schedule ? rule.schedule.everyMs : undefined;
  const requestsPerHour =
    everyMs === undefined
      ? requestsAlone(rule, account, accounts) * options.runsPerMinute * 60
      : requestShare(rule, account, { rules: demand.rules, accounts }) * (everyMs / (interval.pollsEveryMs ?? everyMs));
  return {
    account,
    names,
    notified: some,
    problem: live && (names === undefined || names !== some) ? reports.get(account)?.problem : undefined,
    unit: accounts[client]?.unitsPerRequest?.[account] ? 'points' : 'requests',
    requestsPerHour,
    allPerHour: (load?.perMinute ?? 0) * 60,
    allowedPerHour: rate && rate.perSecond * 3_600,
    monthUsd: prices.get(account),
  };
}
