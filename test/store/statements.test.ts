import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { describeStore } from '../contract/store.ts';
import { committing, creating, firing, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { collectStatements, partialIndexes, plansOf, type PlanStep } from '../support/statement-plans.ts';

/** The tables that grow while Fanfare runs. Other tables grow with the rules, the accounts or the members of a server. */
const GROWING = ['delivery', 'need', 'firing', 'decision', 'episode', 'past_episode', 'recorded_poll'];

/** Partial indexes that stay small, and why. */
const SMALL: Readonly<Record<string, string>> = {
  delivery_due: 'open deliveries only',
  delivery_order: 'open deliveries only',
  delivery_queue: 'open deliveries only',
  delivery_open: 'open deliveries only',
  delivery_sending: 'deliveries that are sent at the moment',
  delivery_asked: 'open questions',
  delivery_unknown: 'each waits for an operator',
  delivery_failed: 'few deliveries fail, and the index has all columns that the query reads',
  delivery_skipped: 'few deliveries are skipped, and a count reads the index only',
};

/** Statements that read a table in its order, or that sort, with the reason why the cost stays small. */
const ALLOWED: readonly (readonly [reason: string, sql: RegExp])[] = [
  [
    'the newest rows, from the end of the table, in any state or with the most frequent one',
    /^(?!.* where state (?!in \([^)]*'sent'|= 'sent')).* order by "?(?:delivery"?\."?)?seq"? desc limit \?$/u,
  ],
  [
    'a limited number of rows of a list, from a position',
    /^select seq as seq from (?:"delivery"|\(select rowid as seq from delivery_words .*\)) where .* order by seq (?:desc|asc) limit/u,
  ],
  ['a selection of states that only a test uses', /where state in \('failed', 'pending'\) /u],
  ['the oldest rows, from the beginning of the table', /from "recorded_poll" order by "seq" limit \?\) as "oldest" where "slot_ms" < \?$/u],
  ['once in a process, and recordings have a limit of bytes', /sum\(length\(body\) \+ 100\) as "bytes" from "recorded_poll"/u],
  ['the deliveries that one delivery needs', /where "need"\."delivery" = \? order by "delivery"\."position"/u],
  ['the deliveries of some firings', /where "firing" in \([^)]*\) order by "position"/u],
  ['the deliveries of some episodes', /where "rule" = \? and "episode" in \([^)]*\) order by "position"/u],
  ['at most 400 decisions of a rule are stored', /from "decision" where \(?"rule" = \?/u],
  ['the episodes of a rule are stored for some days', /from "episode" where \(rule = \?.* limit \?$/u],
  [
    'the decisions that are not in the index of names yet',
    /from "?decision"? where (?:seq >= \? and \(item like|"seq" > \? order by "seq" limit \?$)/u,
  ],
  ['the firings of at most an hour', /from "firing" where "at_ms" >= \? and "at_ms" < \? .* group by "rule"$/u],
  ['one row, to see whether there is any', /^select "id" from "delivery" limit \?$/u],
  ['once, when real accounts replace the sandbox', /^delete from "\w+"$/u],
  ['once after a restore', /^update "delivery" set "search_ms" = \?, "lost_ms" = \? /u],
  ['a range of ids', /\(id >= \? and id < \? or id >= '-' and id < '\.'\)/u],
  [
    'deliveries in a state with a small index',
    /from "?delivery"? where state (?:= '(?:unknown|asked|sending)'|in \('pending', 'sending', 'asked'\))/u,
  ],
  [
    'the failed deliveries of two days, of which the index has all columns',
    /from "delivery" where state = 'failed' and \(created_ms >= \? or \(created_ms >= \? and settled_ms >= \?\)\) (?:and rule \|\| '' in .*)?group by/u,
  ],
];

const collected = collectStatements();
afterAll(() => collected[Symbol.dispose]());

// The contract runs once, and its statements are collected. In a file, which takes three times as long: sqlite-file.deep.test.ts.
describeStore('SQLite in memory', (clock) => openStore({ clock }));

/** Uses the functions that no test of the contract uses. */
beforeAll(async () => {
  const clock = new ManualClock(SLOT_MS);
  await using store = await openStore({ clock });
  await store.ruleStates.commit(committing([firing([creating(['x'])]), firing([setting(['x'])], { section: 'while' })]));
  clock.set(SLOT_MS + 100 * 86_400_000);
  await store.ruleStates.commit(committing([], { slotMs: clock.nowMs() }));
  await store.recordedPolls.record('q', {
    slotMs: clock.nowMs(),
    params: {},
    answer: { items: [], approximate: false, partialErrors: [] },
  });
  await store.recordedPolls.flush();
  for await (const _ of store.recordedPolls.read('q', 0)) break;
  const content = { kind: 'post', text: 'hi', accounts: ['sandbox'] } as const;
  for (const by of ['ada', undefined])
    await store.assistantDrafts.add({ id: '1', content, by, conversation: 'c', state: 'open', madeAt: new Date(clock.nowMs()) });
  await store.decisions.latestOf(['live']);
  await store.decisions.counts(['live']);
  for (const states of [['unknown'], ['failed'], ['pending', 'sending', 'asked'], ['sent', 'skipped']] as const) {
    await store.deliveryLog.latest({ states, limit: 30 });
    await store.deliveryLog.latest({ states, rule: 'live', except: ['1'], limit: 30 });
  }
  for (const state of ['pending', 'sending', 'asked', 'sent', 'failed', 'unknown', 'skipped'] as const) {
    await store.deliveryLog.list({ state });
    await store.deliveryLog.list({ state, rule: 'live' });
  }
  await store.deliveryLog.list({ rule: 'live', episode: 'ada@1' });
  await store.deliveryLog.undelivered(0);
  await store.deliveryLog.outcomesOf(['f']);
  await store.deliveryLog.failuresOf(['live'], 0);
  await store.deliveryLog.slotsMs(['f']);
  await store.deliveryLog.lagsMs(50);
  await store.deliveryLog.named('abcd');
});

describe('the plans of all statements', () => {
  const isGrowing = (name = ''): boolean => GROWING.includes(name);
  const steps = (): readonly PlanStep[] => plansOf(collected.statements);
  const unlisted = (found: readonly PlanStep[]): readonly PlanStep[] =>
    found.filter(({ sql }) => !ALLOWED.some(([, allowed]) => allowed.test(withPlainParameters(sql))));

  test('there are plans for all statements, and each exception is needed', () => {
    const statements = [...collected.statements].map(withPlainParameters);

    expect(steps().length).toBeGreaterThan(300);
    expect(ALLOWED.filter(([, allowed]) => !statements.some((sql) => allowed.test(sql)))).toEqual([]);
  });

  test('SQLite parses no statement again for each value', () => {
    const parsedAgain = [...collected.statements].filter((sql) => /\blimit \?|[=(,<>] ?\?/u.test(sql));

    expect(parsedAgain).toEqual([]);
  });

  test('each index with a condition is used', () => {
    const partial = partialIndexes();
    const used = new Set(steps().map(({ step }) => /INDEX (\w+)/u.exec(step)?.[1]));

    expect(partial.length).toBeGreaterThan(10);
    expect(partial.filter((name) => !used.has(name))).toEqual([]);
  });

  test('no statement scans a growing table', () => {
    const scans = steps().filter(({ step }) => {
      const [, table, index] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/u.exec(step) ?? [];
      return isGrowing(table) && !(index !== undefined && index in SMALL);
    });

    expect(unlisted(scans)).toEqual([]);
  });

  test('a statement that reads a range of a growing table reads only its newest rows', () => {
    const ranges = steps().filter(({ step }) => isGrowing(/^SEARCH (\w+) USING INTEGER PRIMARY KEY \(rowid[<>]/u.exec(step)?.[1]));

    expect(unlisted(ranges)).toEqual([]);
  });

  test('no statement sorts many rows of a growing table', () => {
    const sorts = steps().filter(
      ({ step, sql }) =>
        step.includes('TEMP B-TREE') && GROWING.some((table) => new RegExp(`(?:from|join) "?${table}"?\\b`, 'u').test(sql)),
    );

    expect(unlisted(sorts)).toEqual([]);
  });
});

function withPlainParameters(sql: string): string {
  return sql.replaceAll('+?', '?');
}
