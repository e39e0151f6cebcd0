import { accountFacts } from '#src/engine/simulation/account-facts.ts';
import { replayRule } from '#src/engine/simulation/replay/replay-rule.ts';
import type { ReplayView } from '#src/engine/simulation/replay/replay-view.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { isJsonObject } from '#src/clients/operation/json.ts';
import { readsAtEachPoll, removedParameter } from '#src/clients/operation/declared.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import type { Query } from '#src/engine/planner/query.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Item } from '#src/rules/poll.ts';
import { renderStep } from '#src/rules/render.ts';
import type { Rule } from '#src/rules/rule.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { catalogue } from '../../../support/rule-language.ts';

/** No slot of any rule: the program starts in between. */
export const START_MS = Date.parse('2026-11-20T18:00:03.250Z');

const SECOND_MS = 1_000;
/** How long a platform takes. */
const READ_MS = 700;
const SEND_MS = 400;
/** How long a person takes. */
const ANSWER_MS = 12_000;
const SHORT = { most: 60, lengthOf: (text: string): number => text.length };

export const ACCOUNTS: Accounts = {
  streaming: { all: ['twitch', 'kick'], defaults: ['twitch'] },
  social: { all: ['bluesky', 'mastodon'], defaults: ['mastodon'], textLimits: { bluesky: SHORT, mastodon: SHORT } },
  discord: { all: ['discord'], defaults: ['discord'] },
  assistant: { all: [], defaults: [] },
  history: { all: ['history'], defaults: ['history'] },
};

export interface StageOptions {
  readonly rules: readonly Rule[];
  readonly accounts?: Accounts;
  /** The items of a query at a time after the start. */
  readonly seen: (query: Query, afterMs: number) => readonly Item[];
  /** The fault of the n-th request to a platform. Undefined: it succeeds. */
  readonly refuses?: (n: number) => Fault | undefined;
  /** Whether the n-th question gets an answer. */
  readonly answers?: (n: number) => boolean;
  readonly forMs: number;
  /** The notifications of Twitch. With them, it notifies about all names. */
  readonly hints?: readonly { readonly afterMs: number; readonly rule: string; readonly names: readonly string[] }[];
}

/** The history of a simulated program, and its replay. */
export interface Stage extends AsyncDisposable {
  readonly store: Store;
  readonly rules: readonly Rule[];
  readonly endMs: number;
  replay(rule: Rule, sinceMs?: number): Promise<ReplayView>;
}

/** The rules of files. Throws the diagnostics of an invalid rule. */
export function rulesIn(sources: readonly string[]): readonly Rule[] {
  return sources.flatMap((source) => {
    const { rules, diagnostics } = checkRule({ file: 'x.yaml', source, catalogue, accounts: ACCOUNTS });
    if (rules.length === 0) throw new Error(diagnostics.map(({ line, message }) => `${line} ${message}`).join('\n') + source);
    return rules;
  });
}

/** Runs rules with the real scheduler, planner, delivery engine and store, second by second. Each created record gets a new id. */
export async function run({
  rules,
  accounts = ACCOUNTS,
  seen,
  refuses = () => undefined,
  answers = () => true,
  forMs,
  hints,
}: StageOptions): Promise<Stage> {
  const clock = new ManualClock(START_MS);
  const store = await openStore({ clock });
  const { ruleStates, deliveries, deliveryLog, recordedPolls } = store;
  let made = 0;
  let hasAsked = false;
  const engine = createDeliveryEngine({
    deliveries,
    async perform({ do: verb }) {
      await clock.sleep(SEND_MS);
      made++;
      hasAsked ||= verb === 'discord.ask';
      const fault = refuses(made);
      if (fault) throw new PlatformError('no', { platform: 'stage', fault });
      return { id: `${verb}-${made}`, url: `https://example.invalid/${made}`, number: made, displayName: `who ${made}` };
    },
    recover: () => Promise.resolve('absent'),
    render: ({ delivery: { section, account }, ...due }, results) =>
      renderStep({
        ...due,
        section,
        account,
        results,
        textLimit: accounts['social']?.textLimits?.[account],
        postDefaults: accounts['social']?.postDefaults?.[account],
        catalogue,
      }),
    isQuestion: (verb) => verb === 'discord.ask',
    readsAtEachPoll: (verb) => readsAtEachPoll(catalogue.get(verb)),
    removes: (verb) => removedParameter(catalogue.get(verb)),
    clock,
    log: silentLog,
  });
  const planner = createPlanner({
    async poll(query) {
      await clock.sleep(READ_MS);
      return { items: seen(query, clock.nowMs() - START_MS), approximate: false, partialErrors: [] };
    },
    recorded: recordedPolls,
    clock,
    log: silentLog,
  });
  const scheduler = await createScheduler({
    rules,
    states: ruleStates,
    read: (due, onPoll, signal) => planner.read(due, onPoll, signal),
    advance,
    notified: hints && { refresh: () => undefined, isNotified: () => true, passedOver: () => undefined },
    onCommit: () => engine.wake(),
    clock,
    log: silentLog,
  });

  const stop = new AbortController();
  const running = engine.run(stop.signal);
  const ticks: Promise<void>[] = [];
  for (let atMs = 0; atMs < forMs; atMs += SECOND_MS) {
    await scheduler.hurry(hints?.filter(({ afterMs }) => afterMs >= atMs && afterMs < atMs + SECOND_MS) ?? []);
    ticks.push(scheduler.tick());
    await clock.advance(SECOND_MS);
    const { items } = hasAsked ? await deliveryLog.list({ state: 'asked', limit: 100 }) : { items: [] };
    for (const { id, sentAt, result } of items) {
      const number = isJsonObject(result) ? Number(result['number']) : 0;
      const isHeard = clock.nowMs() - (sentAt?.getTime() ?? 0) > ANSWER_MS && answers(number);
      if (isHeard) await engine.answer(id, { choice: 'b', by: { displayName: 'Mod' } });
    }
  }
  stop.abort(new Error('it is over'));
  await clock.advance(60_000);
  await Promise.all([...ticks, running]);
  const endMs = START_MS + forMs;
  return {
    store,
    rules,
    endMs,
    replay: (rule, sinceMs = START_MS - SECOND_MS) => replayRule(rule, { ...accountFacts(accounts), store, sinceMs, nowMs: endMs }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
