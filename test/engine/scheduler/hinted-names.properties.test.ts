import { expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { NEW_STATE, type Episode, type RuleState } from '#src/rules/episode.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { expanded } from '#src/rules/evaluate/transitions/compact.ts';
import { cardRule, condition, MINUTE, START_MS, stream, type RuleOptions } from '../../rules/evaluate/fixture.ts';
import { storedAndLoaded, withChange } from '../../rules/evaluate/run-polls.ts';
import { IN_MEMORY, ManualClock } from '../../support/manual-clock.ts';
import { memoryStates } from '../../support/memory-states.ts';
import { fc, runs } from '../../support/property.ts';

const NAMES = ['ada', 'grace', 'linus', 'margaret'] as const;
type Name = (typeof NAMES)[number];

/** What a channel does for some seconds. */
interface Segment {
  readonly seconds: number;
  /** Undefined: it is offline. */
  readonly live: { readonly viewers: number; readonly title: string } | undefined;
}

type World = Readonly<Record<Name, readonly Segment[]>>;

interface SentHint {
  readonly second: number;
  /** May contain names that nobody watches. Absent: the hint is about everything. */
  readonly names?: readonly string[] | undefined;
}

/** A poll as the scheduler made it. */
interface Read {
  readonly slotMs: number;
  readonly isHinted: boolean;
  readonly isNotified: boolean;
  /** Absent: all names. */
  readonly asked?: readonly string[] | undefined;
  readonly live: ReadonlyMap<string, ReturnType<typeof stream>>;
}

/** The stream of a channel at a second; each broadcast has another id. */
function streamAt(world: World, name: Name, second: number) {
  let from = 0;
  for (const [index, { seconds, live }] of world[name].entries()) {
    if (second < from + seconds) {
      if (!live) return undefined;
      const startedAt = new Date(START_MS + from * 1_000).toISOString();
      return stream(name, { id: `${name}-${index}`, viewerCount: live.viewers, title: live.title, startedAt });
    }
    from += seconds;
  }
  return undefined;
}

interface WorldRun {
  readonly world: World;
  readonly hints: readonly SentHint[];
  readonly seconds: number;
  /** The second after which no channel changes; absent: they may change until the end. */
  readonly stillS?: number;
}

/** Runs a rule in a world with hints. */
async function run(rule: Rule, { world, hints, seconds, stillS = seconds }: WorldRun) {
  const clock = new ManualClock(START_MS, IN_MEMORY);
  const states = memoryStates();
  const reads: Read[] = [];
  const scheduler = await createScheduler({
    rules: [rule],
    states,
    async read(due, onPoll) {
      for (const { rule: one, slotMs, hintedBy, woken, asked } of due) {
        const names = asked?.['twitch'];
        const second = Math.min(stillS, Math.round((clock.nowMs() - START_MS) / 1_000));
        const live = new Map(
          NAMES.flatMap((name) => {
            const found = names?.includes(name) === false ? undefined : streamAt(world, name, second);
            return found ? [[name, found] as const] : [];
          }),
        );
        const isNotified = hintedBy !== undefined;
        reads.push({ slotMs, isHinted: isNotified && woken, isNotified, asked: names, live });
        await onPoll(one.id, { items: [...live.values()], complete: true });
      }
    },
    advance,
    onCommit: () => undefined,
    clock,
    log: silentLog,
  });
  const bySecond = Map.groupBy(hints, ({ second }) => second);
  for (let second = 0; second < seconds; second++) {
    for (const { names } of bySecond.get(second) ?? []) await scheduler.hurry([{ rule: rule.id, names }]);
    await scheduler.tick();
    await clock.advance(1_000);
  }
  return { reads, commits: states.commits, state: await states.load(rule.id) };
}

/** Evaluates one rule for each name. Its polls are those that asked for the name. Hinted ones are no polls of the schedule. */
function evaluateAlone(rule: Rule, reads: readonly Read[]) {
  const states = new Map<string, RuleState>();
  const firings: Firing[] = [];
  for (const { slotMs, isHinted, isNotified, asked, live } of reads) {
    for (const name of NAMES) {
      if (asked && !asked.includes(name)) continue;
      const before = states.get(name) ?? NEW_STATE;
      const item = live.get(name);
      // A poll of some names stores no compact episodes, whose polls are not counted.
      const poll: Poll = { items: item ? [item] : [], complete: true, ...(asked && { asked: { twitch: [name] } }) };
      const made = advance({ rule, state: before, poll, slotMs, isHinted, isNotified });
      firings.push(...made.firings);
      if (!made.change) continue;
      const { lastPollMs } = before.memory;
      const memory = isHinted && asked ? { ...made.change.memory, lastPollMs } : made.change.memory;
      states.set(name, storedAndLoaded(withChange(before, { ...made.change, memory })));
    }
  }
  return {
    firings,
    episodes: [...states.values()].flatMap(({ episodes, memory }) => [...episodes.values()].map((one) => expanded(one, memory))),
  };
}

/** A firing as a line; the number of the firing in its rule differs. */
function lineOf({ atMs, section, episode, scope }: Firing): string {
  return `${(atMs - START_MS) / 1_000} ${section} ${episode} ${JSON.stringify([scope.change?.['kind'], scope.item?.['title'], scope.episode])}`;
}

/** An episode without what the place in a list and the numbers of firings decide. */
function comparable(episode: Episode): object {
  const { item, announcedBy, ...rest } = episode;
  return JSON.parse(JSON.stringify({ ...rest, title: item['title'], id: episode.id, isAnnounced: announcedBy !== undefined })) as object;
}

const someChanges = fc.constantFrom<RuleOptions>(
  { while: [], finally: [] },
  { while: [], finally: [], watched: { changes: [{ kind: 'entered' }, { kind: 'left' }, { kind: 'changed', fields: ['title'] }] } },
  {
    watched: {
      changes: [{ kind: 'entered' }, { kind: 'rose', field: 'viewerCount', lines: [{ at: 150, rearm: 120 }] }],
      tracks: { average: ['viewerCount'] },
    },
  },
  { watched: { changes: [{ kind: 'entered' }, { kind: 'left' }] }, cooldown: { forMs: 3 * MINUTE, per: 'item' } },
);

const someRule = fc
  .record({
    changes: someChanges,
    confirm: fc.constantFrom({ new: 1, gone: 2 }, { new: 1, gone: 2 }, { new: 2, gone: 1 }, { new: 3, gone: 3 }),
    graceMs: fc.constantFrom(0, 0, 2 * MINUTE),
    settleMs: fc.constantFrom(0, 0, 90_000),
    first: fc.constantFrom('silent', 'fire'),
    where: fc.constantFrom(
      undefined,
      condition('item.title != "no"', ({ item }) => item?.['title'] !== 'no'),
    ),
  })
  .map(({ changes, ...watched }) =>
    cardRule({
      ...changes,
      fuse: { firings: 10_000, perMs: MINUTE },
      watched: { with: { users: [...NAMES] }, ...watched, ...changes.watched },
    }),
  );

function someWorld(segment: { readonly min: number; readonly max: number }): fc.Arbitrary<World> {
  const live = fc.record({ viewers: fc.constantFrom(50, 100, 200), title: fc.constantFrom('a', 'b', 'no') });
  const segments = fc.array(fc.record({ seconds: fc.integer(segment), live: fc.option(live, { nil: undefined, freq: 2 }) }), {
    minLength: 1,
    maxLength: 8,
  });
  return fc.record({ ada: segments, grace: segments, linus: segments, margaret: segments });
}

/** Hints that are late, doubled, wrong, about several names, or about nobody. */
function someHints(seconds: number): fc.Arbitrary<readonly SentHint[]> {
  const names = fc.oneof(
    { weight: 8, arbitrary: fc.subarray([...NAMES, 'nobody'], { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
  return fc.array(fc.record({ second: fc.integer({ min: 1, max: seconds - 1 }), names }), { maxLength: 40 });
}

test('polls of hinted names treat each name as a rule with this name alone, and the other names as not polled', async () => {
  const seconds = 600;
  let partial = 0;
  let changes = 0;
  const property = fc.asyncProperty(someRule, someWorld({ min: 5, max: 200 }), someHints(seconds), async (rule, world, hints) => {
    const { reads, commits, state } = await run(rule, { world, hints, seconds });
    partial += reads.filter(({ asked }) => asked).length;

    const alone = evaluateAlone(rule, reads);

    const announced = commits.flatMap(({ firings }) => firings);
    changes += announced.length;
    expect(announced.map(lineOf).toSorted()).toEqual(alone.firings.map(lineOf).toSorted());
    const episodes = [...state.episodes.values()].map((one) => expanded(one, state.memory));
    const byId = (a: Episode, b: Episode): number => (a.id < b.id ? -1 : 1);
    expect(episodes.toSorted(byId).map(comparable)).toEqual(alone.episodes.toSorted(byId).map(comparable));
  });
  await fc.assert(property, { numRuns: runs(15, 400) });
  expect(Math.min(partial, changes)).toBeGreaterThan(0);
});

test('the slots of the schedule and the hints with names announce what the slots and hints without names announce', async () => {
  // The last changes have ten slots to be confirmed.
  const time = { seconds: 1_800, stillS: 1_200 };
  const kinds = ({ firings }: { readonly firings: readonly Firing[] }): readonly string[] =>
    firings.flatMap(({ section, scope, queue }) =>
      section === 'then' ? [`${queue} ${JSON.stringify([scope.change?.['kind'], scope.item?.['id']])}`] : [],
    );
  let changes = 0;
  // Each state lasts until the slots confirm it, so a lost hint loses no announcement.
  const property = fc.asyncProperty(someRule, someWorld({ min: 420, max: 600 }), someHints(time.seconds), async (rule, world, hints) => {
    const partial = await run(rule, { world, hints, ...time });
    const whole = await run(rule, { world, hints: hints.map(({ second }) => ({ second })), ...time });
    const slots = await run(rule, { world, hints: [], ...time });
    changes += partial.commits.flatMap(kinds).length;

    const announced = partial.commits.flatMap(kinds);
    expect(new Set(announced).size).toBe(announced.length);
    const compared = (other: typeof partial) => other.commits.flatMap(kinds).toSorted();
    expect(announced.toSorted()).toEqual(compared(whole));
    expect(announced.toSorted()).toEqual(compared(slots));
  });
  await fc.assert(property, { numRuns: runs(5, 150) });
  expect(changes).toBeGreaterThan(0);
});
