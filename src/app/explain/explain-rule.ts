import type { Explanation, LookUp } from '#src/cli/explanation.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { loadOf } from '#src/rules/check/request-load.ts';
import type { Outcome } from '#src/rules/decision.ts';
import { nameOf } from '#src/rules/episodes/telling/item-words.ts';
import type { Rule } from '#src/rules/rule.ts';
import { slotsOf } from '#src/scheduler/slots.ts';
import type { Store } from '#src/store/store.ts';
import { costOf } from '#src/planner/cost.ts';
import type { RuleBook } from '../reload/rule-book.ts';
import { catalogue } from '../catalogue.ts';
import { scheduleText, timezoneOf } from '../schedule-text.ts';
import { keptStepPlace, stepName } from '../step-name.ts';
import { billsOf, type BillsOptions } from './bills.ts';
import { remarksOn } from './remarks.ts';

const DAY_MS = 86_400_000;
const RUNS_SHOWN = 5;
/** Of each outcome. */
const DECISIONS_SHOWN = 3;
const EPISODES_SHOWN = 3;
const DELIVERIES_SHOWN = 10;
const MOST_COUNTED = 1000;
/** Why a step with a list counts as skipped: its parts are done in its place. */
const DONE_FOR_EACH = 'done for each of ';

/** Those that matter to who asks why come first. */
const OUTCOMES: readonly Outcome[] = ['fired', 'refused', 'held', 'silent', 'failed', 'waiting', 'closed', 'quiet'];

export interface ExplainRuleOptions {
  readonly book: RuleBook;
  readonly accounts: Accounts;
  readonly config: BillsOptions['config'];
  readonly spendingOf: BillsOptions['spendingOf'];
  readonly store: Store;
  readonly nowMs: number;
}

/** What there is to know about one rule. */
export async function explainRule(
  rule: Rule,
  { book, accounts, config, spendingOf, store, nowMs }: ExplainRuleOptions,
): Promise<Explanation> {
  const { memory, episodes, paused } = await store.ruleStates.load(rule.id);
  const lastSlotMs = (await store.ruleStates.lastSlots()).get(rule.id)?.slotMs;
  const names = new Map([...episodes.values()].map(({ key, item }) => [key, nameOf(item, key)]));
  return {
    rule,
    on: book.isOn(rule),
    problems: book.now.problems.filter(({ file, severity }) => file === rule.file && severity === 'error'),
    schedule: scheduleText(rule.schedule),
    timezone: timezoneOf(rule),
    nextRuns: book.isOn(rule) ? nextRunsOf(rule, nowMs) : [],
    cost: costs(rule, { running: book.running, accounts, nowMs }),
    bills: await billsOf(rule, { config, spendingOf, runsPerMinute: runsPerMinute(rule, nowMs) }),
    paused: paused || memory.blownMs !== undefined ? { blownMs: memory.blownMs, person: paused } : undefined,
    remarks: remarksOn(rule, { memory, paused, names, lastSlotMs, nowMs }),
    episodes: await episodesOf(rule, store),
    deliveries: await deliveriesOf(rule, store),
    outcomes: await outcomesOf(rule, store),
  };
}

function nextRunsOf({ schedule }: Rule, nowMs: number): readonly Date[] {
  const slots = slotsOf(schedule);
  const runs: Date[] = [];
  for (let atMs = slots.next(nowMs); atMs !== undefined && runs.length < RUNS_SHOWN; atMs = slots.next(atMs)) runs.push(new Date(atMs));
  return runs;
}

function costs(
  rule: Rule,
  { running, accounts, nowMs }: { readonly running: readonly Rule[]; readonly accounts: Accounts; readonly nowMs: number },
): Explanation['cost'] {
  const { watched } = rule;
  const client = watched?.verb.split('.')[0] ?? '';
  const loads = loadOf(running).filter((load) => load.client === client && watched?.accounts.includes(load.account));
  return {
    ...costOf(rule, { all: running, runsPerMinute: runsPerMinute(rule, nowMs) }),
    accounts: loads.map(({ account, perMinute }) => ({ account, perMinute, allowed: accounts[client]?.requestsPerMinute?.[account] })),
    lookUps: lookUpsOf(rule),
  };
}

/** The steps that read a platform; the history is read from the database. */
function lookUpsOf(rule: Rule): readonly LookUp[] {
  const steps = [...rule.then, ...rule.while, ...rule.finally, ...(typeof rule.quiet?.then === 'object' ? rule.quiet.then : [])];
  const reads = steps.filter(({ do: verb }) => catalogue.get(verb)?.kind !== 'write' && !verb.startsWith('history.'));
  return reads.flatMap(({ do: verb, as, with: { pages }, forEach }) =>
    as.map((account) => ({ verb, account, requests: typeof pages === 'number' ? pages : 1, isForEach: forEach !== undefined })),
  );
}

/** How often a rule runs, on the average of a day from now. */
function runsPerMinute({ schedule }: Rule, nowMs: number): number {
  if ('everyMs' in schedule) return 60_000 / schedule.everyMs;
  const slots = slotsOf(schedule);
  let runs = 0;
  for (let atMs = slots.next(nowMs); atMs !== undefined && atMs <= nowMs + DAY_MS; atMs = slots.next(atMs)) runs++;
  return runs / (DAY_MS / 60_000);
}

async function episodesOf({ id }: Rule, { episodes }: Store): Promise<Explanation['episodes']> {
  const open = (await episodes.list({ rule: id, sinceMs: Number.MAX_SAFE_INTEGER, limit: MOST_COUNTED })).filter(({ rule }) => rule === id);
  return {
    open: open.length,
    newest: open
      .slice(0, EPISODES_SHOWN)
      .map(({ item, key, startedMs, spoke }) => ({ name: nameOf(item, key), since: new Date(startedMs), spoke })),
  };
}

async function deliveriesOf(rule: Rule, { deliveryLog }: Store): Promise<Explanation['deliveries']> {
  const states = ['pending', 'sending', 'asked', 'unknown', 'failed', 'skipped', 'sent'] as const;
  const lists = await Promise.all(states.map((state) => deliveryLog.list({ rule: rule.id, state, limit: DELIVERIES_SHOWN })));
  // What was done for each of a list says nothing more than its parts do.
  const shown = lists
    .flatMap(({ items }) => items)
    .filter(({ state, reason, omitted }) => (state === 'sent' ? omitted : state !== 'skipped' || !reason?.startsWith(DONE_FOR_EACH)));
  return shown.map((delivery) => {
    const place = keptStepPlace(rule, delivery);
    return { ...delivery, step: stepName(place), place };
  });
}

async function outcomesOf({ id: rule }: Rule, { decisions }: Store): Promise<Explanation['outcomes']> {
  const counts = new Map((await decisions.counts()).filter((one) => one.rule === rule).map(({ outcome, count }) => [outcome, count]));
  const found = await Promise.all(
    OUTCOMES.map(async (outcome) => {
      const { items } = await decisions.list({ rule, outcome, limit: DECISIONS_SHOWN });
      return { outcome, count: counts.get(outcome) ?? 0, latest: items };
    }),
  );
  return found.filter(({ latest }) => latest.length > 0);
}
