import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json } from '#src/operation/json.ts';
import type { Delivery } from '#src/delivery/delivery.ts';
import type { Commit } from '#src/scheduler/rule-states.ts';
import { FakePlatform, type Habits, type Mishap } from '../support/fake-platform.ts';
import { committing, creating, firing, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { live, readEnd, type World } from './restarts.ts';
import { Mortal } from './killable.ts';

/** It has no keys, and what it shows is late and not all that it has. */
const X: Habits = { knowsKeys: false, finds: 'content', provesAbsence: false, visibleAfterMs: 5_000 };

/** What is decided, and what goes wrong without any death. */
interface Plot {
  readonly commits: readonly Commit[];
  readonly mishaps: Readonly<Record<string, readonly Mishap[]>>;
}

/** An announcement on two networks and in Discord, a second one of like words, an edit at the end. */
function announcing(): Plot {
  const opening = firing([
    creating(['x', 'mastodon'], { id: 'post' }),
    creating(['discord'], { id: 'card', do: 'discord.send', reads: ['post'] }),
  ]);
  const again = firing([creating(['x'])], { occasion: '2' });
  const closing = firing([setting(['discord'], { reads: ['card'] })], { section: 'finally', sees: [opening.id] });
  return {
    commits: [committing([opening]), committing([again, closing], { slotMs: SLOT_MS + 1 })],
    mishaps: { x: ['answerLost'], mastodon: ['unavailable'] },
  };
}

/** A thread on two networks, without which nothing follows. */
function threading(): Plot {
  const opening = firing([
    creating(['x', 'mastodon'], { id: 'post', fit: 'thread', onError: 'stop', with: { text: 'one|two|three' } }),
    creating(['x'], { with: { text: 'afterwards' } }),
  ]);
  return { commits: [committing([opening])], mishaps: { x: ['answerLost', 'unavailable'] } };
}

/** A list, a question that is answered and one that is not, and a step behind a wait. */
function asking(): Plot {
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
    mishaps: { discord: ['unanswered', 'answerLost'] },
  };
}

function newWorld(file: string, habits: Habits, { commits, mishaps }: Plot): World {
  const clock = new ManualClock(SLOT_MS);
  const platform = new FakePlatform(clock, habits);
  for (const [account, list] of Object.entries(mishaps)) platform.mishaps.set(account, [...list]);
  return { file, clock, platform, commits, visibleAfterMs: habits.visibleAfterMs === undefined ? 0 : 2 * habits.visibleAfterMs };
}

/** Dies at one effect after the other, each time in a new world, until a life goes by without; tells of the end of each world. */
async function* dieEverywhere(plot: Plot, habits: Habits, moment: 'before' | 'after') {
  for (let at = 1; ; at++) {
    using folder = temporaryFolder({ inMemory: true });
    const world = newWorld(join(folder.path, 'fanfare.sqlite'), habits, plot);
    const survived = await live(world, new Mortal(at, moment));
    if (!survived) await live(world);
    yield { at, world, deliveries: await readEnd(world) };
    if (survived) return;
  }
}

const CASES = [
  ['before', 'the platform knows the key of a repeat', {}],
  ['after', 'the platform knows the key of a repeat', {}],
  ['before', 'the platform knows keys, and what it has comes into sight late', { finds: 'content', visibleAfterMs: 5_000 }],
  [
    'before',
    'the platform ignores keys, and what it has comes into sight late',
    { knowsKeys: false, finds: 'content', visibleAfterMs: 5_000 },
  ],
  ['before', 'the platform cannot tell, and the operator looks', { knowsKeys: false, finds: 'nothing' }],
  ['before', 'the platform never says for certain that it has nothing, and the operator looks', X],
] as const satisfies (readonly ['before' | 'after', string, Habits])[];

describe('killed at any moment and started again, every announcement is there exactly once', () => {
  test.for(CASES)('%s a call has its effect: %s', async ([moment, , habits]) => {
    let worlds = 0;
    for await (const { at, world, deliveries } of dieEverywhere(announcing(), habits, moment)) {
      worlds++;
      expect(deliveries).toHaveLength(5);
      expect(world.platform.counts(), `killed at call ${at}`).toEqual(Object.fromEntries(deliveries.map(({ id }) => [id, 1])));
      expect(new Set(deliveries.map(({ state }) => state)), `killed at call ${at}`).toEqual(new Set(['sent']));
    }
    // Fewer would mean that the path was not walked.
    expect(worlds).toBeGreaterThan(20);
  });
});

/** Who finds what was lost knows what to reply to; the operator's word alone does not say it. */
const KNOWING = [
  ['before', 'the platform knows the key of a repeat', {}],
  ['after', 'the platform knows the key of a repeat', {}],
  [
    'before',
    'the platform ignores keys, and what it has comes into sight late',
    { knowsKeys: false, finds: 'content', visibleAfterMs: 500 },
  ],
] as const satisfies (readonly ['before' | 'after', string, Habits])[];

const STORIES = [
  [
    'threads go on where they were',
    threading,
    ['mastodon: one', 'mastodon: three after two', 'mastodon: two after one'].concat([
      'x: afterwards',
      'x: one',
      'x: three after two',
      'x: two after one',
    ]),
  ],
  [
    'lists, questions and waits go on where they were',
    asking,
    [
      'discord: a card for ada',
      'discord: a card for grace',
      'discord: hello',
      'discord: nobody knows (nobody answered)',
      'discord: shall I? (send)',
      'x: afterwards',
    ],
  ],
] as const;

describe.for(STORIES)('killed at any moment, %s', ([, plot, story]) => {
  test.for(KNOWING)('%s a call has its effect: %s', async ([moment, , habits]) => {
    let worlds = 0;
    for await (const { at, world, deliveries } of dieEverywhere(plot(), habits, moment)) {
      worlds++;
      const told = deliveries.filter(({ reason }) => reason?.kind !== 'each');
      expect(world.platform.counts(), `killed at call ${at}`).toEqual(Object.fromEntries(told.map(({ id }) => [id, 1])));
      expect(storyOf(told, world), `killed at call ${at}`).toEqual(story);
    }
    expect(worlds).toBeGreaterThan(20);
  });
});

/** What stands on the platforms, in words. */
function storyOf(deliveries: readonly Delivery[], { platform }: World): readonly string[] {
  const lines = deliveries.map(({ id, account, result, message, state }) => {
    const { params = {} } = platform.records.find(({ key }) => key === id) ?? {};
    const before = platform.records.find((record) => record.id === params['replyTo']);
    const notes = [isJsonObject(result) ? result['choice'] : undefined, message, state === 'sent' ? undefined : state];
    return [
      `${account}:`,
      spoken(params['text'] ?? params['content']),
      ...(params['it'] === undefined ? [] : ['for', spoken(params['it'])]),
      ...(before ? ['after', spoken(before.params['text'])] : []),
      ...notes.filter((note) => note !== undefined).map((note) => `(${spoken(note)})`),
    ].join(' ');
  });
  return lines.toSorted();
}

function spoken(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
