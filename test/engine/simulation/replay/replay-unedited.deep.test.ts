import { fc, runs } from '../../../support/property.ts';
import { describe, expect, test } from 'vitest';
import type { ReplayEvent, ReplayView } from '#src/engine/simulation/replay/replay-view.ts';
import type { Query } from '#src/engine/planner/query.ts';
import type { Item } from '#src/rules/poll.ts';
import { stepName } from '#src/rules/step-name.ts';
import { rulesIn, run, START_MS, type Stage } from './replay-fixture.ts';
import { acts, faultsIn, pollFaults, randomSource, ruleOf, stops } from './random-history.ts';
import { RULES, WILD } from './step-forms.ts';

const MINUTE_MS = 60_000;
const FOR_MS = 11 * MINUTE_MS;
const RUNS = runs(3, 20);

/** The streams, in seconds after the start. */
const STREAMS = [
  { handle: 'ada', fromS: 95, toS: 250, viewers: 90 },
  { handle: 'grace', fromS: 130, toS: 385, viewers: 150 },
  { handle: 'ada', fromS: 430, toS: 700, viewers: 40 },
];

function seen({ account }: Query, afterMs: number): readonly Item[] {
  const there = STREAMS.filter(({ fromS, toS }) => afterMs >= fromS * 1000 && afterMs < toS * 1000);
  return there.map(({ handle, fromS, viewers }) => ({
    id: `${account}-${handle}-${fromS}`,
    owner: { id: handle, handle, displayName: handle.toUpperCase() },
    title: afterMs < 200_000 ? 'Ranked' : 'Unranked',
    viewerCount: viewers + (Math.floor(afterMs / 20_000) % 7) * 20,
    startedAt: new Date(START_MS + fromS * 1000).toISOString(),
  }));
}

const played = (...names: readonly string[]): Promise<Stage> =>
  run({ rules: rulesIn(names.map((name) => RULES[name] ?? '')), seen, answers: (number) => number % 2 === 1, forMs: FOR_MS });

const stream = fc.record({
  handle: fc.constantFrom('ada', 'grace'),
  title: fc.constantFrom('One', 'Two'),
  viewerCount: fc.constantFrom(40, 120, 260),
  tags: fc.constantFrom([], ['red', 'blue']),
});

/** The streams of each period of 20 seconds. */
const worlds = fc.array(fc.uniqueArray(stream, { selector: ({ handle }) => handle, maxLength: 2 }), { minLength: 3, maxLength: 24 });

const histories = fc.record({
  world: worlds,
  faults: pollFaults,
  disturbances: fc.tuple(stops, fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, acts)).map((all) => all.flat()),
  refused: fc.array(fc.constantFrom(undefined, undefined, undefined, 'rejected'), { minLength: 1, maxLength: 20 }),
  isHeard: fc.boolean(),
});

function whole(handle: string, more: Item): Item {
  return { id: handle, owner: { id: handle, handle, displayName: handle }, startedAt: new Date(START_MS).toISOString(), ...more };
}

/** The events of a replay that differ from the history. */
function differing({ events }: ReplayView): readonly string[] {
  return events.filter(({ kind }) => kind !== 'same').map(line);
}

function line({ kind, at, about, position, account, expected, actual, failure }: ReplayEvent): string {
  return `${kind} ${at.toISOString().slice(11, 19)} ${about} ${stepName(position)} ${account}: ${JSON.stringify({ actual, expected, failure })}`;
}

const anyRule = fc.oneof(fc.constantFrom(...WILD), randomSource.map(ruleOf));

/** The number of deliveries on their platforms, without edits of `while`. */
async function countPublished({ store }: Stage, rule: string): Promise<number> {
  const lists = await Promise.all((['sent', 'asked'] as const).map((state) => store.deliveryLog.list({ rule, state, limit: 5_000 })));
  return lists
    .flatMap(({ items }) => items)
    .filter(({ section, creates, do: verb }) => (section !== 'while' || creates) && !verb.includes('.get')).length;
}

describe('the replay of an unedited rule repeats its history', () => {
  test.each(Object.keys(RULES))('%s', async (name) => {
    await using stage = await played(name);
    const [rule] = stage.rules;
    if (!rule) throw new Error('there is no rule');

    const view = await stage.replay(rule);

    expect(differing(view).slice(0, 12)).toEqual([]);
    expect(view.events).toHaveLength(await countPublished(stage, rule.id));
    expect(view.events.length).toBeGreaterThan(0);
  });

  test.each(Object.keys(RULES))('%s, from the middle on', async (name) => {
    await using stage = await played(name);
    const [rule] = stage.rules;
    if (!rule) throw new Error('there is no rule');

    const view = await stage.replay(rule, START_MS + 3.5 * MINUTE_MS);

    expect(differing(view).slice(0, 12)).toEqual([]);
  });

  test('with all rules at once', async () => {
    await using stage = await played(...Object.keys(RULES));

    for (const rule of stage.rules) {
      const view = await stage.replay(rule);
      expect(differing(view).slice(0, 12)).toEqual([]);
      expect(view.events).toHaveLength(await countPublished(stage, rule.id));
    }
  });

  test('with any polls, stops, refusals and answers, or says that a person prevented announcements', async () => {
    let count = 0;

    await fc.assert(
      fc.asyncProperty(anyRule, histories, async (rule, { world, faults, disturbances, refused, isHeard }) => {
        await using stage = await run({
          rules: [rule],
          seen: (_query, afterMs) => (world[Math.floor(afterMs / 20_000)] ?? []).map(({ handle, ...one }) => whole(handle, one)),
          pollFault: faultsIn(faults, 20_000),
          disturbances,
          refuses: (n) => refused[n % refused.length],
          answers: () => isHeard,
          forMs: FOR_MS,
        });
        const view = await stage.replay(rule);
        count += view.events.length;
        // No trace is left of a pause that delays collected changes, or that withdraws the end of an episode that continues.
        if (view.paused > 0 || disturbances.some(({ kind }) => kind === 'pause')) return;
        expect(differing(view)).toEqual([]);
        expect(view.events).toHaveLength(await countPublished(stage, rule.id));
      }),
      { numRuns: RUNS },
    );
    expect(count).toBeGreaterThan(0);
  });
});
