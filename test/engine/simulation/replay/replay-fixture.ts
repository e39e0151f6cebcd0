import { accountFacts } from '#src/engine/simulation/account-facts.ts';
import { replayRule } from '#src/engine/simulation/replay/replay-rule.ts';
import type { Fault } from '#src/errors.ts';
import type { ReplayView } from '#src/engine/simulation/replay/replay-view.ts';
import { isJsonObject } from '#src/clients/operation/json.ts';
import type { Query } from '#src/engine/planner/query.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import type { Lists } from '#src/rules/lists.ts';
import { bindLists } from '#src/rules/people/bind-lists.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { catalogue } from '../../../support/rule-language.ts';
import { startProcess, type StageProcess } from './stage-process.ts';

/** No slot of any rule: the program starts in between. */
export const START_MS = Date.parse('2026-11-20T18:00:03.250Z');

const SECOND_MS = 1_000;
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

/** How much of a poll fails: the whole poll, the names of one user, or the end of the list. */
export type PollFault = 'whole' | 'name' | 'end';

/** What happens to a running rule from outside, at a time after the start: a stop of the process, or the act of a person. */
export type Disturbance = { readonly afterMs: number } & (
  | { readonly kind: 'down' | 'pause'; readonly forMs: number }
  /** Mutes the item with this key, if it is in the list of the rule. */
  | { readonly kind: 'mute'; readonly key: string }
);

export interface StageOptions {
  readonly rules: readonly Rule[];
  readonly accounts?: Accounts;
  /** The items of a query at a time after the start. */
  readonly seen: (query: Query, afterMs: number) => readonly Item[];
  /** How a poll at a time after the start fails. Undefined: it succeeds. */
  readonly pollFault?: (query: Query, afterMs: number) => PollFault | undefined;
  /** The fault of the n-th request to a platform. Undefined: it succeeds. */
  readonly refuses?: (n: number) => Fault | undefined;
  /** Whether the n-th question gets an answer. */
  readonly answers?: (n: number) => boolean;
  readonly forMs: number;
  /** The notifications of Twitch. With them, it notifies about all names. */
  readonly hints?: readonly { readonly afterMs: number; readonly rule: string; readonly names: readonly string[] }[];
  readonly disturbances?: readonly Disturbance[];
  /** The lists of the rules at a time after the start. */
  readonly lists?: (afterMs: number) => Lists;
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
export async function run(options: StageOptions): Promise<Stage> {
  const { rules, accounts = ACCOUNTS, answers = () => true, forMs, hints, disturbances = [], lists } = options;
  const clock = new ManualClock(START_MS);
  const store = await openStore({ clock });
  const { ruleStates, deliveryLog } = store;
  const requests = { made: 0, asked: 0 };
  const start = (): Promise<StageProcess> => startProcess({ ...options, accounts, clock, store, startMs: START_MS, requests });
  let running: StageProcess | undefined = await start();
  let stopped: StageProcess | undefined;
  const due = [...disturbances].toSorted((a, b) => a.afterMs - b.afterMs);
  const endsMs = { down: 0, pause: 0 };

  async function disturb(one: Disturbance): Promise<void> {
    if (one.kind === 'mute') {
      for (const rule of rules)
        for (const { id, key } of await store.episodes.list({ rule: rule.id, sinceMs: 0, limit: 100 }))
          if (key === one.key) await ruleStates.mute(rule.id, id, 'Mod');
      return;
    }
    endsMs[one.kind] = Math.max(endsMs[one.kind], one.afterMs + one.forMs);
    if (one.kind === 'down') {
      running?.stop();
      [stopped, running] = [running ?? stopped, undefined];
      return;
    }
    const ids = rules.map(({ id }) => id);
    await ruleStates.changePauses(ids, { pause: { by: 'Mod', untilMs: START_MS + endsMs.pause } });
  }

  for (let atMs = 0; atMs < forMs; atMs += SECOND_MS) {
    while (due[0] && due[0].afterMs <= atMs) await disturb(due.shift() as Disturbance); // the condition finds one
    if (!running && endsMs.down <= atMs) {
      await stopped?.ended();
      running = await start();
    }
    await running?.tick(hints?.filter(({ afterMs }) => afterMs >= atMs && afterMs < atMs + SECOND_MS) ?? []);
    await clock.advance(SECOND_MS);
    const { items } = requests.asked > 0 && running ? await deliveryLog.list({ state: 'asked', limit: 100 }) : { items: [] };
    for (const { id, sentAt, result } of items) {
      const number = isJsonObject(result) ? Number(result['number']) : 0;
      const isHeard = clock.nowMs() - (sentAt?.getTime() ?? 0) > ANSWER_MS && answers(number);
      if (isHeard) await running?.engine.answer(id, { choice: 'b', by: { displayName: 'Mod' } });
    }
  }
  running?.stop();
  await clock.advance(60_000);
  await (running ?? stopped)?.ended();
  const endMs = START_MS + forMs;
  return {
    store,
    rules,
    endMs,
    replay: (rule, sinceMs = START_MS - SECOND_MS) =>
      replayRule(lists ? bindLists(rule, lists(forMs)) : rule, { ...accountFacts(accounts), store, sinceMs, nowMs: endMs }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
