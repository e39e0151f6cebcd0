import { fc } from '../../support/property.ts';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Firing } from '#src/rules/firing.ts';
import type { Step } from '#src/rules/step.ts';
import { FakePlatform, type PlatformTraits, type AttemptFailure } from '../../support/fake-platform.ts';
import { committing, creating, firing, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runProgram, readEnd, type World } from './restarts.ts';
import { Killable } from './killable.ts';

const ACCOUNTS = ['x', 'mastodon', 'discord'];
const LONGEST_WAY_MS = 3_000;
const VISIBLE_AFTER_MS = 4_000;

/** `alike`: All steps have the same text, so a content search cannot tell their records apart. */
const CERTAIN: readonly (PlatformTraits & { readonly alike: boolean })[] = [
  { deduplicates: true, finds: 'key', alike: true },
  { deduplicates: true, finds: 'content', visibleAfterMs: VISIBLE_AFTER_MS, alike: false },
  { deduplicates: false, finds: 'content', visibleAfterMs: VISIBLE_AFTER_MS, alike: false },
  { deduplicates: false, finds: 'content', visibleAfterMs: VISIBLE_AFTER_MS, alike: true },
];
const UNCERTAIN: readonly (PlatformTraits & { readonly alike: boolean })[] = [
  { deduplicates: false, finds: 'nothing', alike: true },
  { deduplicates: false, finds: 'content', provesAbsence: false, visibleAfterMs: VISIBLE_AFTER_MS, alike: false },
];

const attemptFailure = fc.constantFrom<AttemptFailure | undefined>(
  undefined,
  'unreachable',
  'unavailable',
  'rateLimited',
  'unanswered',
  'answerLost',
  'unauthorized',
);

/** The form of a step: one record, one for each element of a list, or a thread. */
type Becomes = 'one' | 'list' | 'thread';

/** The number of records that a step creates through each of its accounts. */
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
  nextFailures: fc.record({
    x: fc.array(attemptFailure, { maxLength: 6 }),
    mastodon: fc.array(attemptFailure, { maxLength: 6 }),
    discord: fc.array(attemptFailure, { maxLength: 6 }),
  }),
  latenciesMs: fc.array(fc.nat(LONGEST_WAY_MS), { minLength: 1, maxLength: 8 }),
  /** The call at which each run of the program is killed. */
  kills: fc.array(fc.record({ at: fc.integer({ min: 1, max: 25 }), when: fc.constantFrom('before', 'after') }), { maxLength: 4 }),
  inOneSlot: fc.boolean(),
  /** After a pause, the lanes wait, and attempts begin with the next commit. */
  spacedMs: fc.constantFrom(undefined, 5_000),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer S> ? S : never;

async function play(
  { firings, nextFailures, latenciesMs, kills, inOneSlot, spacedMs }: Scenario,
  { alike, ...traits }: (typeof CERTAIN)[number],
) {
  using folder = temporaryFolder({ inMemory: true });
  const clock = new ManualClock(SLOT_MS);
  const platform = new FakePlatform(clock, traits);
  for (const [account, list] of Object.entries(nextFailures)) platform.nextFailures.set(account, [...list]);
  let way = 0;
  platform.latencyMs = () => latenciesMs[way++ % latenciesMs.length] ?? 0;

  const planned = firings.map(({ episode, steps }, n) =>
    firing(
      steps.map(({ accounts, reads, becomes, afterMs }, index) => {
        const text = alike ? 'hello' : `${n} ${index}`;
        return creating(accounts, { id: `s${index}`, reads, afterMs, ...contentOf(becomes, text) });
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
    spacedMs,
    // A request that is on its way when the program is killed still arrives and has to become visible.
    visibleAfterMs: LONGEST_WAY_MS + VISIBLE_AFTER_MS,
  };
  for (const { at, when } of kills) await runProgram(world, new Killable(at, when));
  await runProgram(world);
  const deliveries = (await readEnd(world)).filter(({ reason }) => reason?.kind !== 'forEachDone');
  return { platform, planned, deliveries, expected: firings.flatMap(({ steps }) => steps).flatMap(recordsOf) };
}

function contentOf(becomes: Becomes, text: string): Partial<Step> {
  if (becomes === 'list') return { forEach: 'ada,grace', with: { text } };
  return becomes === 'thread' ? { fit: 'thread', with: { text: `${text}|2 ${text}|3 ${text}` } } : { with: { text } };
}

/** The accounts of the records that a step creates. */
function recordsOf({ accounts, becomes }: { readonly accounts: readonly string[]; readonly becomes: Becomes }): readonly string[] {
  return accounts.flatMap((account) => Array.from({ length: RECORDS[becomes] }, () => account));
}

test('with any faults, interleavings and kills, every step is sent once, in order for each target', async () => {
  const property = fc.asyncProperty(scenario, fc.constantFrom(...CERTAIN), async (played, traits) => {
    const { platform, planned, deliveries, expected } = await play(played, traits);

    const byContent = traits.alike && traits.finds === 'content';
    expect(platform.records.map(({ account }) => account).toSorted()).toEqual(expected.toSorted());
    expect(namesOf(platform.records, byContent)).toEqual(
      namesOf(
        deliveries.map(({ id: key, account }) => ({ key, account })),
        byContent,
      ),
    );
    expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['sent']));
    const made = platform.records.map(({ key }) => key);
    for (const line of byContent ? [] : queuesOf(planned)) expect(made.filter((key) => line.includes(key))).toEqual(line);
  });

  await fc.assert(property, { numRuns: 25 });
});

test('on a platform without reconciliation, no step is sent twice, and every step is sent after the operator resolves it', async () => {
  const property = fc.asyncProperty(scenario, fc.constantFrom(...UNCERTAIN), async (played, traits) => {
    const { platform, deliveries, expected } = await play({ ...played, firings: played.firings.map(withoutThreads) }, traits);

    expect(namesOf(platform.records)).toEqual(namesOf(deliveries.map(({ id: key, account }) => ({ key, account }))));
    expect(platform.records.map(({ account }) => account).toSorted()).toEqual(expected.toSorted());
  });

  await fc.assert(property, { numRuns: 25 });
});

/** Records by account and key, or by account alone. */
function namesOf(records: readonly { readonly account: string; readonly key: string }[], byContent = false): readonly string[] {
  return records.map(({ account, key }) => (byContent ? account : `${account} ${key}`)).toSorted();
}

/** Without threads: an operator's resolution does not contain the id to reply to. */
function withoutThreads({ episode, steps }: Scenario['firings'][number]): Scenario['firings'][number] {
  return { episode, steps: steps.map((step) => ({ ...step, becomes: step.becomes === 'thread' ? 'one' : step.becomes })) };
}

/** The keys for one target of one item, in the order of the decisions, without steps behind a wait. */
function queuesOf(firings: readonly Firing[]): readonly (readonly string[])[] {
  const steps = firings.flatMap(({ queue, steps: planned }) =>
    planned
      .filter(({ step }) => step.afterMs === 0 && step.forEach === undefined)
      .map(({ account, key }) => ({ line: `${queue} ${account}`, key })),
  );
  return [...Map.groupBy(steps, ({ line }) => line).values()].map((line) => line.map(({ key }) => key));
}
