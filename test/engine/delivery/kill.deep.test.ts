import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Commit } from '#src/engine/scheduler/rule-states.ts';
import { FakePlatform, type PlatformTraits, type AttemptFailure } from '../../support/fake-platform.ts';
import { committing, creating, firing, setting, SLOT_MS } from '../../support/firings.ts';
import { seed } from '../../support/property.ts';
import { makeRule } from '../../support/rules.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runProgram, readEnd, type World } from './restarts.ts';
import { Killable } from './killable.ts';

/** A platform without idempotency keys that shows records late and incompletely. */
const X: PlatformTraits = { deduplicates: false, finds: 'content', provesAbsence: false, visibleAfterMs: 5_000 };

const HOUR_MS = 3_600_000;

/** The commits of a run, and the faults of the platform. */
interface Scenario {
  readonly commits: readonly Commit[];
  readonly nextFailures: Readonly<Record<string, readonly (AttemptFailure | undefined)[]>>;
  readonly spacedMs?: number;
}

/** An announcement on two networks and in Discord, a second one with the same text, and an edit at the end. */
function announcing(): Scenario {
  const opening = firing([
    creating(['x', 'mastodon'], { id: 'post' }),
    creating(['discord'], { id: 'card', do: 'discord.send', reads: ['post'] }),
  ]);
  const again = firing([creating(['x'])], { occasion: '2' });
  const closing = firing([setting(['discord'], { reads: ['card'] })], { section: 'finally', sees: [opening.id] });
  return {
    commits: [committing([opening]), committing([again, closing], { slotMs: SLOT_MS + 1 })],
    nextFailures: { x: ['answerLost'], mastodon: ['unavailable'] },
  };
}

/** A thread on two networks that stops the firing if it fails. */
function threading(): Scenario {
  const opening = firing([
    creating(['x', 'mastodon'], { id: 'post', fit: 'thread', onError: 'stop', with: { text: 'one|two|three' } }),
    creating(['x'], { with: { text: 'afterwards' } }),
  ]);
  return { commits: [committing([opening])], nextFailures: { x: ['answerLost', 'unavailable'] } };
}

/** A list, a question with an answer, a question without one, and a step after a wait. */
function asking(): Scenario {
  const opening = firing(
    [
      creating(['discord'], { id: 'cards', do: 'discord.send', forEach: 'ada,grace', with: { text: 'a card' } }),
      creating(['discord'], { id: 'verdict', do: 'discord.ask', with: { text: 'shall I?', answer: 'send' } }),
      creating(['discord'], { do: 'discord.ask', maxAgeMs: 60_000, with: { text: 'nobody knows' } }),
      creating(['x'], { reads: ['verdict'], afterMs: 5_000, with: { text: 'afterwards' } }),
    ],
    { names: { steps: {}, lists: ['cards'] } },
  );
  const closing = firing([setting(['discord'], { reads: ['cards'] })], { section: 'finally', sees: [opening.id] });
  return {
    commits: [committing([opening]), committing([closing], { slotMs: SLOT_MS + 1 })],
    nextFailures: { discord: ['unanswered', 'answerLost'] },
  };
}

/** Three firings of one episode: each reads the post of the one before. */
function continuing(): Scenario {
  const firings = ['one', 'two', 'three'].map((text, index) =>
    firing([creating(['x', 'mastodon'], { id: 'post', reads: ['@post.own'], with: { text } })], { occasion: String(index + 1) }),
  );
  return {
    commits: firings.map((one, index) => committing([one], { slotMs: SLOT_MS + index })),
    nextFailures: { x: ['answerLost', 'unavailable'], mastodon: ['unavailable'] },
  };
}

/** A card, and a reminder at two multiples of `every`. Two polls reach the first multiple, as two workers or a restart do. */
function reminding(): Scenario {
  const opening = firing([creating(['discord'], { id: 'card', do: 'discord.send' })]);
  const polls = [4 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS].map((multipleMs, index) =>
    firing([creating(['x', 'mastodon'], { id: 'reminder', everyMs: 4 * HOUR_MS, with: { text: `after ${multipleMs / HOUR_MS} hours` } })], {
      section: 'while',
      occasion: String(index + 1),
      sees: [opening.id],
      multipleMs,
    }),
  );
  return {
    commits: [opening, ...polls].map((one, index) => committing([one], { slotMs: SLOT_MS + index })),
    nextFailures: { x: ['answerLost', 'unavailable'], mastodon: ['unavailable', 'answerLost'] },
  };
}

/** Announcements through lanes that wait, so that attempts begin with their commits. */
function spaced(): Scenario {
  const firings = ['one', 'two', 'three'].map((text, index) =>
    firing(
      [creating(['x', 'mastodon'], { id: 'post', with: { text } }), creating(['x'], { reads: ['post'], with: { text: `${text} again` } })],
      {
        episode: `ada@${index}`,
      },
    ),
  );
  return {
    commits: firings.map((one, index) => committing([one], { slotMs: SLOT_MS + index })),
    nextFailures: { x: [undefined, undefined, 'answerLost'], mastodon: [undefined, 'unavailable'] },
    spacedMs: 5_000,
  };
}

/** Posts that are sent eight at a time, three of them with the same text. */
const CROWD = Array.from({ length: 24 }, (_, index) => (index % 10 === 1 ? 'the same' : `post ${index}`));

function crowding(): Scenario {
  const firings = CROWD.map((text, index) => firing([creating(['x'], { with: { text } })], { episode: `ada@${index}` }));
  return {
    commits: [committing(firings)],
    nextFailures: { x: [undefined, 'answerLost', undefined, 'unanswered', 'unavailable', 'answerLost'] },
  };
}

function newWorld(file: string, traits: PlatformTraits, { commits, nextFailures, spacedMs }: Scenario): World {
  const clock = new ManualClock(SLOT_MS);
  const platform = new FakePlatform(clock, traits);
  for (const [account, list] of Object.entries(nextFailures)) platform.nextFailures.set(account, [...list]);
  return { file, clock, platform, commits, spacedMs, visibleAfterMs: traits.visibleAfterMs === undefined ? 0 : 2 * traits.visibleAfterMs };
}

/** A run of the deep set kills at each third call. */
const EVERY = 3;

/** Kills the program at each third call from a random one of the first three, each time in a new world, until a run survives. */
async function* killEverywhere(scenario: Scenario, traits: PlatformTraits, when: 'before' | 'after', resendWith?: Rule) {
  for (let at = 1 + (seed % EVERY); ; at += EVERY) {
    using folder = temporaryFolder({ inMemory: true });
    const world = { ...newWorld(join(folder.path, 'fanfare.sqlite'), traits, scenario), resendWith };
    const survived = await runProgram(world, new Killable(at, when));
    if (!survived) await runProgram(world);
    yield { at, world, deliveries: await readEnd(world) };
    if (survived) return;
  }
}

const CASES = [
  ['before', 'the platform deduplicates by key', {}],
  ['after', 'the platform deduplicates by key', {}],
  ['before', 'the platform deduplicates by key and shows records late', { finds: 'content', visibleAfterMs: 5_000 }],
  ['before', 'the platform ignores keys and shows records late', { deduplicates: false, finds: 'content', visibleAfterMs: 5_000 }],
  ['before', 'the platform cannot be searched, and the operator resolves', { deduplicates: false, finds: 'nothing' }],
  ['before', 'the platform never proves absence, and the operator resolves', X],
] as const satisfies (readonly ['before' | 'after', string, PlatformTraits])[];

describe('a program that is killed at any call and restarted sends every announcement exactly once', () => {
  test.for(CASES)('killed %s a call has its effect: %s', async ([when, , traits]) => {
    let worlds = 0;
    for await (const { at, world, deliveries } of killEverywhere(announcing(), traits, when)) {
      worlds++;
      expect(deliveries).toHaveLength(5);
      expect(world.platform.counts(), `killed at call ${at}`).toEqual(Object.fromEntries(deliveries.map(({ id }) => [id, 1])));
      expect(new Set(deliveries.map(({ state }) => state)), `killed at call ${at}`).toEqual(new Set(['sent']));
    }
    // Fewer worlds mean that the scenario did not run.
    expect(EVERY * worlds).toBeGreaterThan(20);
  });
});

/** Platforms that find lost records, so that a thread has an id to reply to. An operator's resolution has none. */
const CERTAIN = [
  ['before', 'the platform deduplicates by key', {}],
  ['after', 'the platform deduplicates by key', {}],
  ['before', 'the platform ignores keys and shows records late', { deduplicates: false, finds: 'content', visibleAfterMs: 500 }],
] as const satisfies (readonly ['before' | 'after', string, PlatformTraits])[];

const SCENARIOS = [
  [
    'continues threads',
    threading,
    ['mastodon: one', 'mastodon: three after two', 'mastodon: two after one'].concat([
      'x: afterwards',
      'x: one',
      'x: three after two',
      'x: two after one',
    ]),
  ],
  [
    'sends attempts that began with their commit',
    spaced,
    ['mastodon: one', 'mastodon: three', 'mastodon: two', 'x: one', 'x: one again', 'x: three', 'x: three again', 'x: two', 'x: two again'],
  ],
  [
    'continues later firings of an episode',
    continuing,
    ['mastodon: one', 'mastodon: three', 'mastodon: two', 'x: one', 'x: three', 'x: two'],
  ],
  [
    'repeats steps with every once at each multiple',
    reminding,
    ['discord: hello', 'mastodon: after 4 hours', 'mastodon: after 8 hours', 'x: after 4 hours', 'x: after 8 hours'],
  ],
  [
    'continues lists, questions and waits',
    asking,
    [
      'discord: a card for ada',
      'discord: a card for grace',
      'discord: hello',
      'discord: nobody knows (no one answered)',
      'discord: shall I? (send)',
      'x: afterwards',
    ],
  ],
] as const;

describe.for(SCENARIOS)('a program that is killed at any call and restarted %s', ([, scenario, expectedLines]) => {
  test.for(CERTAIN)('killed %s a call has its effect: %s', async ([when, , traits]) => {
    let worlds = 0;
    for await (const { at, world, deliveries } of killEverywhere(scenario(), traits, when)) {
      worlds++;
      const records = deliveries.filter(({ reason }) => reason?.kind !== 'forEachDone');
      expect(world.platform.counts(), `killed at call ${at}`).toEqual(Object.fromEntries(records.map(({ id }) => [id, 1])));
      expect(recordLines(records, world), `killed at call ${at}`).toEqual(expectedLines);
    }
    expect(EVERY * worlds).toBeGreaterThan(20);
  });
});

describe('a program that is killed at any call and restarted sends each of many posts at once exactly once', () => {
  test.for(CERTAIN)('killed %s a call has its effect: %s', async ([when, , traits]) => {
    let worlds = 0;
    for await (const { at, world, deliveries } of killEverywhere(crowding(), traits, when)) {
      worlds++;
      // On a platform without keys, it cannot be known which of two equal posts a record belongs to.
      expect(world.platform.records.map(({ params }) => textOf(params['text'])).toSorted(), `killed at call ${at}`).toEqual(
        CROWD.toSorted(),
      );
      const sent = deliveries.map(({ state, result }) => `${state} ${JSON.stringify(result)}`);
      expect(new Set(sent).size, `killed at call ${at}`).toBe(CROWD.length);
      expect(sent.every((one) => one.startsWith('sent '))).toBe(true);
    }
    expect(EVERY * worlds).toBeGreaterThan(20);
  });
});

/** An announcement and a part of a thread that are refused, and then sent again with another text. */
function resending(): Scenario & { readonly resendWith: Rule } {
  const post = creating(['x', 'mastodon'], { id: 'post' });
  const thread = creating(['bluesky'], { id: 'thread', fit: 'thread', with: { text: 'one|two|three' } });
  const corrected = creating(['x', 'mastodon'], { id: 'post', with: { text: 'corrected' } });
  return {
    commits: [committing([firing([post, thread])])],
    nextFailures: { x: ['forbidden', 'answerLost'], bluesky: [undefined, 'rejected', 'unavailable'] },
    resendWith: makeRule({ then: [corrected, thread] }),
  };
}

describe('a program that is killed at any call and restarted resends each failed delivery once', () => {
  test.for(CERTAIN)('killed %s a call has its effect: %s', async ([when, , traits]) => {
    const { resendWith, ...scenario } = resending();
    let worlds = 0;
    for await (const { at, world, deliveries } of killEverywhere(scenario, traits, when, resendWith)) {
      worlds++;
      expect(
        deliveries.map(({ state }) => state),
        `killed at call ${at}`,
      ).toEqual(deliveries.map(() => 'sent'));
      // If the kill hides the refusal, the repeat is sent with the first text.
      expect(deliveries.every(({ resends = [] }) => resends.length <= 1)).toBe(true);
      const isCorrected = deliveries.some(({ account, resends }) => account === 'x' && resends);
      const texts = world.platform.records.map(({ account, params }) => JSON.stringify([account, params['text']]));
      expect(texts.toSorted(), `killed at call ${at}`).toEqual([
        '["bluesky","one"]',
        '["bluesky","three"]',
        '["bluesky","two"]',
        '["mastodon","hello"]',
        `["x","${isCorrected ? 'corrected' : 'hello'}"]`,
      ]);
    }
    expect(EVERY * worlds).toBeGreaterThan(20);
  });
});

/** The records on the platforms, one line each. */
function recordLines(deliveries: readonly Delivery[], { platform }: World): readonly string[] {
  const lines = deliveries.map(({ id, account, result, message, state }) => {
    const { params = {} } = platform.records.find(({ key }) => key === id) ?? {};
    const before = platform.records.find((record) => record.id === params['replyTo']);
    const notes = [isJsonObject(result) ? result['choice'] : undefined, message, state === 'sent' ? undefined : state];
    return [
      `${account}:`,
      textOf(params['text'] ?? params['content']),
      ...(params['it'] === undefined ? [] : ['for', textOf(params['it'])]),
      ...(before ? ['after', textOf(before.params['text'])] : []),
      ...notes.filter((note) => note !== undefined).map((note) => `(${textOf(note)})`),
    ].join(' ');
  });
  return lines.toSorted();
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
