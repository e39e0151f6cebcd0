import type { BillExplanation, CostExplanation, Explanation } from './explanation.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { nameOf } from '#src/rules/evaluate/items/item-fields.ts';
import { allSteps, type Rule } from '#src/rules/rule.ts';
import { keptValues } from '#src/rules/kept-values.ts';
import type { Lists } from '#src/rules/lists.ts';
import { attemptBind } from '#src/rules/people/bind-lists.ts';
import { slotsOf } from '#src/engine/scheduler/slots.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { EpisodeLog } from '#src/rules/episode-log.ts';
import type { RuleStates } from '#src/engine/scheduler/rule-states.ts';
import { costOf } from '#src/engine/planner/cost.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { scheduleText, timezoneOf } from '#src/rules/messages/schedule-text.ts';
import { storedStepPosition, stepName } from '#src/rules/step-name.ts';
import { nextRunsOf } from './next-runs.ts';
import type { PollDemand, Polling } from './polling.ts';
import { remarksOn } from './remarks.ts';
import { outcomesOf } from './rule-outcomes.ts';

const DAY_MS = 86_400_000;
const EPISODES_SHOWN = 3;
const DELIVERIES_SHOWN = 10;
const MOST_COUNTED = 1000;

/** The stored data that explanations read. */
interface ExplainedData {
  readonly ruleStates: Pick<RuleStates, 'load' | 'lastSlots' | 'planned'>;
  readonly episodes: EpisodeLog;
  readonly deliveryLog: Pick<DeliveryLog, 'list' | 'outcomesOf'>;
  readonly decisions: DecisionLog;
}

export interface ExplainRuleOptions {
  readonly registry: RuleRegistry;
  readonly accounts: Accounts;
  readonly demand: PollDemand;
  /** The costs of the rule through its billed accounts. */
  readonly bills: readonly BillExplanation[];
  readonly polling: Polling | undefined;
  readonly store: ExplainedData;
  /** The lists that rules read; none if they cannot be read. */
  readonly lists: Lists;
  readonly nowMs: number;
}

/** Collects everything that is known about one rule. */
export async function explainRule(
  rule: Rule,
  { registry, accounts, demand, bills, polling, store, lists, nowMs }: ExplainRuleOptions,
): Promise<Explanation> {
  const { memory, episodes, paused } = await store.ruleStates.load(rule.id);
  const lastSlotMs = (await store.ruleStates.lastSlots()).get(rule.id)?.slotMs;
  const planned = (await store.ruleStates.planned()).get(rule.id);
  const names = new Map([...episodes.values()].map(({ key, item }) => [key, nameOf(item, key)]));
  return {
    rule,
    on: registry.isOn(rule),
    diagnostics: registry.now.diagnostics.filter(({ file, severity }) => file === rule.file && severity === 'error'),
    schedule: scheduleText(rule.schedule),
    timezone: timezoneOf(rule),
    nextRuns: registry.isOn(rule) ? nextRunsOf(rule, nowMs) : [],
    cost: costs(withLists(rule, lists), { demand, accounts, nowMs }),
    polling,
    bills,
    paused: paused || memory.blownMs !== undefined ? { blownMs: memory.blownMs, person: paused } : undefined,
    planned,
    remarks: remarksOn(rule, { memory, paused, planned, names, lastSlotMs, nowMs }),
    values: rule.keep && keptValues(rule.keep, memory),
    episodes: await episodesOf(rule, store),
    deliveries: await deliveriesOf(rule, store),
    outcomes: await outcomesOf(rule.id, store),
  };
}

function costs(
  rule: Rule,
  { demand: { rules, loads: all }, accounts, nowMs }: Pick<ExplainRuleOptions, 'demand' | 'accounts' | 'nowMs'>,
): Explanation['cost'] {
  const { watched } = rule;
  const client = watched?.verb.split('.')[0] ?? '';
  const loads = all.filter((load) => load.client === client && watched?.accounts.includes(load.account));
  return {
    ...costOf(rule, { all: rules, runsPerMinute: runsPerMinute(rule, nowMs), accounts }),
    accounts: loads.map(({ account, perMinute }) => ({ account, perMinute, allowed: accounts[client]?.requestsPerMinute?.[account] })),
    lookups: lookupsOf(rule),
  };
}

/** A rule as it polls now; without the entries if its lists cannot be evaluated. */
export function withLists(rule: Rule, lists: Lists): Rule {
  const bound = attemptBind(rule, lists);
  return 'failure' in bound ? rule : bound;
}

/** The steps that read a platform; the history is read from the database. */
function lookupsOf(rule: Rule): CostExplanation['lookups'] {
  const reads = allSteps(rule).filter(({ do: verb }) => catalogue.get(verb)?.kind !== 'write' && !verb.startsWith('history.'));
  return reads.flatMap(({ do: verb, as, with: { pages }, forEach }) =>
    as.map((account) => ({ verb, account, requests: typeof pages === 'number' ? pages : 1, isForEach: forEach !== undefined })),
  );
}

/** How often a rule runs, on the average of a day from now. */
export function runsPerMinute({ schedule }: Rule, nowMs: number): number {
  if ('everyMs' in schedule) return 60_000 / schedule.everyMs;
  const slots = slotsOf(schedule);
  let runs = 0;
  for (let atMs = slots.next(nowMs); atMs !== undefined && atMs <= nowMs + DAY_MS; atMs = slots.next(atMs)) runs++;
  return runs / (DAY_MS / 60_000);
}

async function episodesOf({ id }: Rule, { episodes }: ExplainedData): Promise<Explanation['episodes']> {
  const open = (await episodes.list({ rule: id, sinceMs: Number.MAX_SAFE_INTEGER, limit: MOST_COUNTED })).filter(({ rule }) => rule === id);
  return {
    open: open.length,
    newest: open
      .slice(0, EPISODES_SHOWN)
      .map(({ item, key, startedMs, announced }) => ({ name: nameOf(item, key), since: new Date(startedMs), announced })),
  };
}

async function deliveriesOf(rule: Rule, { deliveryLog }: ExplainedData): Promise<Explanation['deliveries']> {
  const states = ['pending', 'sending', 'asked', 'unknown', 'failed', 'skipped', 'sent'] as const;
  const lists = await Promise.all(states.map((state) => deliveryLog.list({ rule: rule.id, state, limit: DELIVERIES_SHOWN })));
  // A step with a list is skipped, because its parts are delivered instead.
  const shown = lists
    .flatMap(({ items }) => items)
    .filter(({ state, reason, omitted, resends }) =>
      state === 'sent' ? (omitted ?? resends) : state !== 'skipped' || reason?.kind !== 'forEachDone',
    );
  return shown.map((delivery) => {
    const position = storedStepPosition(rule, delivery);
    return { ...delivery, step: stepName(position), position };
  });
}
