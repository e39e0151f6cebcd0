import { fc } from '../support/property.ts';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Firing } from '#src/rules/firing.ts';
import type { Step } from '#src/rules/step.ts';
import { FakePlatform, type Habits, type Mishap } from '../support/fake-platform.ts';
import { committing, creating, firing, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { live, readEnd, type World } from './restarts.ts';
import { Mortal } from './killable.ts';

const ACCOUNTS = ['x', 'mastodon', 'discord'];
const LONGEST_WAY_MS = 3_000;
const VISIBLE_AFTER_MS = 4_000;

/** `alike`: all steps say the same, so that by its content nobody can tell whose record is whose. */
const CERTAIN: readonly (Habits & { readonly alike: boolean })[] = [
  { knowsKeys: true, finds: 'key', alike: true },
  { knowsKeys: true, finds: 'content', visibleAfterMs: VISIBLE_AFTER_MS, alike: false },
  { knowsKeys: false, finds: 'content', visibleAfterMs: VISIBLE_AFTER_MS, alike: false },
  { knowsKeys: false, finds: 'content', visibleAfterMs: VISIBLE_AFTER_MS, alike: true },
];
const UNCERTAIN: readonly (Habits & { readonly alike: boolean })[] = [
  { knowsKeys: false, finds: 'nothing', alike: true },
  { knowsKeys: false, finds: 'content', provesAbsence: false, visibleAfterMs: VISIBLE_AFTER_MS, alike: false },
];

const mishap = fc.constantFrom<Mishap | undefined>(
  undefined,
  'unreachable',
  'unavailable',
  'rateLimited',
  'unanswered',
  'answerLost',
  'unauthorized',
);

/** What a step is done as. */
type Becomes = 'one' | 'list' | 'thread';

/** How many records it makes through each of its accounts. */
const RECORDS: Readonly<Record<Becomes, number>> = { one: 1, list: 2, thread: 3 };

const decided = fc.record({
  episode: fc.constantFrom('ada@1', 'grace@1'),
  steps: fc.array(
    fc.record({
      accounts: fc.subarray(ACCOUNTS, { minLength: 1 }),
      reads: fc.constantFrom([], ['s0'], ['s0.own'], ['s1.on.x']),
      becomes: fc.constantFrom<Becomes>('one', 'one', 'list', 'thread'),
      afterMs: fc.constantFrom(0, 0, 7_000),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

const scenario = fc.record({
  firings: fc.array(decided, { minLength: 1, maxLength: 4 }),
  mishaps: fc.record({
    x: fc.array(mishap, { maxLength: 6 }),
    mastodon: fc.array(mishap, { maxLength: 6 }),
    discord: fc.array(mishap, { maxLength: 6 }),
  }),
  latenciesMs: fc.array(fc.nat(LONGEST_WAY_MS), { minLength: 1, maxLength: 8 }),
  /** At which of its effects each life ends. */
  deaths: fc.array(fc.record({ at: fc.integer({ min: 1, max: 25 }), moment: fc.constantFrom('before', 'after') }), { maxLength: 4 }),
  inOneSlot: fc.boolean(),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer S> ? S : never;

async function play({ firings, mishaps, latenciesMs, deaths, inOneSlot }: Scenario, { alike, ...habits }: (typeof CERTAIN)[number]) {
  using folder = temporaryFolder({ inMemory: true });
  const clock = new ManualClock(SLOT_MS);
  const platform = new FakePlatform(clock, habits);
  for (const [account, list] of Object.entries(mishaps)) platform.mishaps.set(account, [...list]);
  let way = 0;
  platform.latencyMs = () => latenciesMs[way++ % latenciesMs.length] ?? 0;

  const planned = firings.map(({ episode, steps }, n) =>
    firing(
      steps.map(({ accounts, reads, becomes, afterMs }, index) => {
        const text = alike ? 'hello' : `${n} ${index}`;
        return creating(accounts, { id: `s${index}`, reads, afterMs, ...saying(becomes, text) });
      }),
      { episode, occasion: String(n + 1) },
    ),
  );
  const commits = inOneSlot ? [committing(planned)] : planned.map((one, n) => committing([one], { slotMs: SLOT_MS + n }));
  const world: World = {
    file: join(folder.path, 'fanfare.sqlite'),
    clock,
    platform,
    commits,
    // What is on its way when its sender dies has to arrive and to come into sight first.
    visibleAfterMs: LONGEST_WAY_MS + VISIBLE_AFTER_MS,
  };
  for (const { at, moment } of deaths) await live(world, new Mortal(at, moment));
  await live(world);
  const told = (await readEnd(world)).filter(({ reason }) => reason?.kind !== 'each');
  return { platform, planned, told, expected: firings.flatMap(({ steps }) => steps).flatMap(recordsOf) };
}

function saying(becomes: Becomes, text: string): Partial<Step> {
  if (becomes === 'list') return { forEach: 'ada,grace', with: { text } };
  return becomes === 'thread' ? { fit: 'thread', with: { text: `${text}|2 ${text}|3 ${text}` } } : { with: { text } };
}

/** The accounts of the records that a step makes. */
function recordsOf({ accounts, becomes }: { readonly accounts: readonly string[]; readonly becomes: Becomes }): readonly string[] {
  return accounts.flatMap((account) => Array.from({ length: RECORDS[becomes] }, () => account));
}

test('whatever goes wrong, in whatever order things happen, and however often it dies: every step once, each target in order', async () => {
  const property = fc.asyncProperty(scenario, fc.constantFrom(...CERTAIN), async (played, habits) => {
    const { platform, planned, told, expected } = await play(played, habits);

    const byContent = habits.alike && habits.finds === 'content';
    expect(platform.records.map(({ account }) => account).toSorted()).toEqual(expected.toSorted());
    expect(namesOf(platform.records, byContent)).toEqual(
      namesOf(
        told.map(({ id: key, account }) => ({ key, account })),
        byContent,
      ),
    );
    expect(new Set(told.map(({ state }) => state))).toEqual(new Set(['sent']));
    const made = platform.records.map(({ key }) => key);
    for (const line of byContent ? [] : linesOf(planned)) expect(made.filter((key) => line.includes(key))).toEqual(line);
  });

  await fc.assert(property, { numRuns: 40 });
});

test('where the platform cannot tell, no step is there twice, and with the operator’s help every step is there', async () => {
  const property = fc.asyncProperty(scenario, fc.constantFrom(...UNCERTAIN), async (played, habits) => {
    const { platform, told, expected } = await play({ ...played, firings: played.firings.map(withoutThreads) }, habits);

    expect(namesOf(platform.records)).toEqual(namesOf(told.map(({ id: key, account }) => ({ key, account }))));
    expect(platform.records.map(({ account }) => account).toSorted()).toEqual(expected.toSorted());
  });

  await fc.assert(property, { numRuns: 25 });
});

/** What there is, by account and key, or by account alone. */
function namesOf(records: readonly { readonly account: string; readonly key: string }[], byContent = false): readonly string[] {
  return records.map(({ account, key }) => (byContent ? account : `${account} ${key}`)).toSorted();
}

/** The operator's word says that a post is there, but not what to reply to. */
function withoutThreads({ episode, steps }: Scenario['firings'][number]): Scenario['firings'][number] {
  return { episode, steps: steps.map((step) => ({ ...step, becomes: step.becomes === 'thread' ? 'one' : step.becomes })) };
}

/** The keys that go to one target of one item, in the order in which they were decided; what is behind a wait comes when it comes. */
function linesOf(firings: readonly Firing[]): readonly (readonly string[])[] {
  const steps = firings.flatMap(({ queue, steps: planned }) =>
    planned
      .filter(({ step }) => step.afterMs === 0 && step.forEach === undefined)
      .map(({ account, key }) => ({ line: `${queue} ${account}`, key })),
  );
  return [...Map.groupBy(steps, ({ line }) => line).values()].map((line) => line.map(({ key }) => key));
}
