import type { PreviewView, ScenarioView } from '#src/engine/simulation/preview/preview-view.ts';
import type { ScenarioKind } from './scenario-kind.ts';
import type { NotBeyond } from './not-beyond.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Log } from '#src/log.ts';
import type { Clock } from '#src/clock.ts';
import type { Query } from '#src/engine/planner/query.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import { slotsOf } from '#src/engine/scheduler/slots.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { nameOf } from '#src/rules/evaluate/items/item-fields.ts';
import { partlyFailedOf } from '#src/rules/evaluate/effects/partly-failed.ts';
import { filterItems } from '#src/rules/evaluate/items/filter-items.ts';
import type { CommandUse } from '#src/rules/evaluate/command-use.ts';
import { sampleOptions, sampleUse } from '#src/engine/testing/world/sample-use.ts';
import { sampleWebhook } from '#src/engine/testing/world/sample-webhook.ts';
import type { Firing } from '#src/rules/firing.ts';
import { NO_LISTS, type ListSource } from '#src/rules/lists.ts';
import { attemptBind } from '#src/rules/people/bind-lists.ts';
import type { Item, Poll } from '#src/rules/poll.ts';
import type { Explained } from '#src/rules/reasons/reason.ts';
import { allSteps, type ReceivedWebhook, type Rule, type Watched } from '#src/rules/rule.ts';
import { formatNumber } from '#src/rules/messages/format.ts';
import { formatFalsehood } from '#src/rules/messages/format-falsehood.ts';
import { withMessage } from '#src/rules/messages/format-reason.ts';
import type { PreviewAccounts } from './preview-accounts.ts';
import { simulateRepeats } from './preview-repeats.ts';
import { sampleItem } from './samples.ts';
import { PreviewSimulation, type PreviewedStep } from './preview-simulation.ts';
import { scenarioViews } from './scenario-views.ts';
import { findUnknownUsers, usersIn } from './unknown-users.ts';
import { eager, pollOf, scenariosOf, type Scenario } from './scenarios.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
/** The preview simulates up to this number of later polls, because a rule may not edit at each poll. */
const LATER_POLLS = 12;

export interface PreviewRuleOptions {
  readonly accounts: PreviewAccounts;
  /** The number of items that the preview shows. */
  readonly items: number;
  /** The lists that the rule reads; absent: there are none. */
  readonly lists?: ListSource | undefined;
  /** The stored values of the rule, which the preview starts from; absent: its start values. */
  readonly kept?: JsonObject | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Previews a rule with the first items of a poll. Reads are real, and nothing is written. */
export async function previewRule(written: Rule, options: PreviewRuleOptions): Promise<PreviewView> {
  const bound = attemptBind(written, (await options.lists?.current()) ?? NO_LISTS);
  if ('failure' in bound) return unread(written, bound);
  const rule = bound;
  const slotMs = options.clock.nowMs();
  const { command } = rule;
  if (command) {
    const use = sampleUse(command, { options: sampleOptions(command) }, { atMs: slotMs, reportError: () => undefined });
    return { rule, scenarios: await simulate(rule, { now: undefined, command: use, kind: 'used', slotMs, options }) };
  }
  if (rule.webhook) {
    const webhook = sampleWebhook(rule.webhook, {}, { atMs: slotMs, reportError: () => undefined });
    return { rule, scenarios: await simulate(withoutIf(rule), { now: undefined, webhook, kind: 'received', slotMs, options }) };
  }
  if (!rule.watched) {
    const scenarios = await simulate(rule, { now: undefined, kind: 'time', slotMs: shownSlot(rule, slotMs), options });
    return { rule, scenarios: [...scenarios, ...(await simulateQuietEnd(rule, [], { slotMs, options }))] };
  }
  const queries: Query[] = [];
  const poll = await read(rule, slotMs, { ...options, onQuery: (query) => queries.push(query) });
  if ('failure' in poll) return unread(rule, poll);
  const unknownUsers = await findUnknownUsers(queries, { streams: poll.items, accounts: options.accounts });
  const filtered = filterItems(poll.items, { rule, watched: rule.watched, slotMs });
  const counted = filtered.listed.map(({ item }) => item);
  const partlyFailed = partlyFailedOf(poll.errors);
  const scenarios: ScenarioView[] = [];
  // A sample item replaces an empty list. A rule for whole lists gets the empty list.
  const mayHaveItems = poll.items.length === 0 && (unknownUsers.length === 0 || unknownUsers.length < usersIn(queries).length);
  const sample = mayHaveItems && rule.watched.per === 'item' ? sampleItem(rule.watched, slotMs) : undefined;
  const previewedRule = sample ? { ...withoutIf(rule), watched: { ...rule.watched, where: undefined } } : rule;
  const shown = sample ? [sample] : counted;
  for (const scenario of scenariosOf(rule.watched, shown, options.items))
    scenarios.push(...(await simulateScenario(previewedRule, scenario, { slotMs, options })));
  if (previewedRule.while.length > 0)
    scenarios.push(...(await simulateRepeats(previewedRule, shown, { slotMs, accounts: options.accounts, kept: options.kept })));
  scenarios.push(...(await simulateQuietEnd(previewedRule, shown, { slotMs, options })));
  scenarios.push(...(await simulateCollected(previewedRule, shown, { slotMs, options })));
  return {
    rule,
    read: {
      ...(partlyFailed && { partlyFailed: { message: withMessage(partlyFailed).message, reason: partlyFailed } }),
      count: poll.items.length,
      counted: counted.length,
      isSample: sample !== undefined,
      unknownUsers,
      excluded: filtered.excludedSamples.map(({ item, key, condition }) => ({
        name: nameOf(item, key),
        message: formatFalsehood(condition),
        reason: condition,
      })),
    },
    scenarios,
  };
}

/** The next slot of a rule that watches nothing. A rule that reads is shown as of now, because it reads the data of now. */
function shownSlot(rule: Rule, nowMs: number): number {
  const reads = allSteps(rule).some((step) => catalogue.get(step.do)?.kind !== 'write');
  return reads ? nowMs : (slotsOf(rule.schedule).next(nowMs) ?? nowMs);
}

/** The rule without its condition, which the values of a sample seldom fulfill. */
function withoutIf(rule: Rule): Rule {
  return { ...rule, if: undefined };
}

/** The preview of a rule whose list cannot be read. */
function unread(rule: Rule, poll: Extract<Poll, { readonly failure: string }>): PreviewView {
  return { rule, read: { ...poll, count: 0, counted: 0, isSample: false, excluded: [] }, scenarios: [] };
}

async function read(
  rule: Rule,
  slotMs: number,
  { accounts, clock, log, onQuery }: PreviewRuleOptions & { readonly onQuery: (query: Query) => void },
): Promise<Poll> {
  const poll: PreviewAccounts['poll'] = (query, options) => {
    onQuery(query);
    return accounts.poll(query, options);
  };
  const planner = createPlanner({ poll, clock, log });
  let result: Poll = { failure: 'there was no result' };
  await planner.read([{ rule, slotMs }], async (_rule, poll) => void (result = poll));
  return result;
}

interface SimulateOptions {
  readonly slotMs: number;
  readonly options: PreviewRuleOptions;
}

async function simulateScenario(rule: Rule, { change, before, now }: Scenario, options: SimulateOptions): Promise<readonly ScenarioView[]> {
  const { watched } = rule;
  if (!watched) return [];
  const isOfItem = watched.per === 'item';
  const kind = watched.per === 'slot' ? 'slot' : change.kind === 'entered' ? ENTERED[watched.kind] : CHANGED[change.kind];
  const scenarios = await simulate(isOfItem || watched.per === 'poll' ? only(rule, watched, change) : rule, {
    ...options,
    before,
    now,
    kind,
    // The preview shows `while` and `finally` for the first item only.
    follows: isOfItem && change.kind === 'entered',
  });
  return scenarios.length > 0 || !('field' in change) || now.length === 0 ? scenarios : [{ kind, suppression: whyNot(change), steps: [] }];
}

function whyNot(change: Extract<Scenario['change'], { kind: 'rose' | 'fell' }>): Explained<NotBeyond> {
  const { kind, field } = change;
  const at = 'every' in change ? [change.every] : change.lines.map((line) => line.at);
  const reason: NotBeyond =
    kind === 'rose' ? { kind: 'notAbove', field, line: Math.min(...at) } : { kind: 'notBelow', field, line: Math.max(...at) };
  return { message: `no item has ${field} ${kind === 'rose' ? 'above' : 'below'} ${formatNumber(reason.line)} now`, reason };
}

const ENTERED = { live: 'goesLive', ranking: 'enters', feed: 'isNew', set: 'comes', one: 'isThere' } as const;
const CHANGED = { left: 'leaves', moved: 'moves', changed: 'changes', rose: 'rises', fell: 'falls' } as const;

function only(rule: Rule, watched: Watched, change: Scenario['change']): Rule {
  return { ...rule, watched: { ...watched, changes: [change] } };
}

async function simulate(
  rule: Rule,
  {
    before,
    now,
    command,
    webhook,
    kind,
    follows = false,
    slotMs,
    options,
  }: SimulateOptions & {
    readonly before?: readonly Item[] | undefined;
    readonly now: readonly Item[] | undefined;
    readonly command?: CommandUse | undefined;
    readonly webhook?: ReceivedWebhook | undefined;
    readonly kind: ScenarioKind;
    readonly follows?: boolean | undefined;
  },
): Promise<readonly ScenarioView[]> {
  const simulation = new PreviewSimulation(eager(rule), options.accounts, options.kept);
  const first = (firings: readonly Firing[]): readonly Firing[] => firings.slice(0, options.items);
  if (before) await simulation.slot({ slotMs: slotMs - SECOND_MS, poll: pollOf(before) }, () => []);
  const { steps, decisions } = await simulation.slot({ slotMs, poll: now && pollOf(now), command, webhook }, first);
  const shown = { rule, accounts: options.accounts };
  const scenarios = [...scenarioViews(steps, kind, shown)];
  // A rule that fires at each slot also fires at its first poll.
  const isFirstPoll = ({ reason }: (typeof decisions)[number]): boolean => scenarios.length > 0 && reason?.kind === 'baseline';
  const suppressed = decisions.filter((one) => one.outcome === 'suppressed' && !isFirstPoll(one)).slice(0, options.items);
  if (follows && scenarios.length > 0 && now) {
    const still = await later(simulation, { now, slotMs });
    const over = await simulation.slot({ slotMs: slotMs + (LATER_POLLS + 1) * SECOND_MS, poll: pollOf([]) }, firstOf);
    scenarios.push(...scenarioViews(still, 'stays', shown), ...scenarioViews(over.steps, 'ends', shown));
  }
  return [...scenarios, ...suppressed.map(({ message, reason }): ScenarioView => ({ kind, suppression: { message, reason }, steps: [] }))];
}

function firstOf(firings: readonly Firing[]): readonly Firing[] {
  return firings.slice(0, 1);
}

/** The steps of the first later poll that does something, because a rule may edit only at every third poll. */
async function later(
  simulation: PreviewSimulation,
  { now, slotMs }: { readonly now: readonly Item[]; readonly slotMs: number },
): Promise<readonly PreviewedStep[]> {
  let steps: readonly PreviewedStep[] = [];
  for (let number = 1; number <= LATER_POLLS; number++) {
    ({ steps } = await simulation.slot({ slotMs: slotMs + number * SECOND_MS, poll: pollOf(now) }, firstOf));
    if (steps.some(({ outcome }) => outcome.kind !== 'skipped')) break;
  }
  return steps;
}

/** The steps of `limit` and `gather`, as if the items were collected now. */
async function simulateCollected(
  rule: Rule,
  items: readonly Item[],
  { slotMs, options }: SimulateOptions,
): Promise<readonly ScenarioView[]> {
  const { limit, gather } = rule;
  const poll = pollOf(items.slice(0, options.items));
  const shown = { rule, accounts: options.accounts };
  const scenarios: ScenarioView[] = [];
  if (limit && typeof limit.then !== 'string') {
    const full = { ...eager(rule), limit: { ...limit, firings: 0, perMs: SECOND_MS } };
    const simulation = new PreviewSimulation(full, options.accounts, options.kept);
    await simulation.slot({ slotMs, poll });
    const roomy = { ...full, limit: { ...limit, firings: Infinity } };
    const { steps } = await simulation.slot({ slotMs: slotMs + SECOND_MS, poll, rule: roomy }, (firings) =>
      firings.filter(({ section }) => section === 'limit'),
    );
    scenarios.push(...scenarioViews(steps, 'limitEnds', shown));
  }
  if (gather) {
    const simulation = new PreviewSimulation({ ...eager(rule), gather: { ...gather, count: 1 } }, options.accounts, options.kept);
    const { steps } = await simulation.slot({ slotMs, poll }, (firings) => firings.filter(({ section }) => section === 'gather'));
    scenarios.push(...scenarioViews(steps, 'gathers', shown));
  }
  return scenarios;
}

/** The steps of the end of quiet hours, as if they ended now. */
async function simulateQuietEnd(
  rule: Rule,
  items: readonly Item[],
  { slotMs, options }: SimulateOptions,
): Promise<readonly ScenarioView[]> {
  const { quiet } = rule;
  if (!quiet || typeof quiet.then === 'string') return [];
  const minute = Math.floor(slotMs / MINUTE_MS) % 1440;
  const night = { ...quiet, fromMinute: minute, toMinute: (minute + 1) % 1440, timezone: 'UTC' };
  const simulation = new PreviewSimulation({ ...eager(rule), quiet: night }, options.accounts, options.kept);
  const shown = pollOf(items.slice(0, options.items));
  await simulation.slot({ slotMs, poll: shown });
  const { steps } = await simulation.slot({ slotMs: (Math.floor(slotMs / MINUTE_MS) + 1) * MINUTE_MS, poll: shown }, (firings) =>
    firings.filter(({ section }) => section === 'quiet'),
  );
  return scenarioViews(steps, 'quietEnds', { rule, accounts: options.accounts });
}
