import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FakePlatform, type Habits } from '../support/fake-platform.ts';
import { committing, creating, firing, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { live, readEnd, type World } from './lives.ts';
import { Mortal } from './mortal.ts';

/** It has no keys, and what it shows is late and not all that it has. */
const X: Habits = { knowsKeys: false, finds: 'content', provesAbsence: false, visibleAfterMs: 5_000 };

/** An announcement on two networks and in Discord, a second one of like words, an edit at the end; and things go wrong without any death. */
function newWorld(file: string, habits: Habits): World {
  const clock = new ManualClock(SLOT_MS);
  const platform = new FakePlatform(clock, habits);
  platform.mishaps.set('x', ['answerLost']);
  platform.mishaps.set('mastodon', ['unavailable']);
  const opening = firing([
    creating(['x', 'mastodon'], { id: 'post' }),
    creating(['discord'], { id: 'card', do: 'discord.send', reads: ['post'] }),
  ]);
  const again = firing([creating(['x'])], { occasion: '2' });
  const closing = firing([setting(['discord'], { reads: ['card'] })], { section: 'finally', sees: [opening.id] });
  const commits = [committing([opening]), committing([again, closing], { slotMs: SLOT_MS + 1 })];
  return { file, clock, platform, commits, visibleAfterMs: habits.visibleAfterMs === undefined ? 0 : 2 * habits.visibleAfterMs };
}

/** Dies at one call after the other, each time in a new world, until a life goes by without; tells of the end of each world. */
async function* dieEverywhere(habits: Habits, moment: 'before' | 'after') {
  for (let at = 1; ; at++) {
    using folder = temporaryFolder({ inMemory: true });
    const world = newWorld(join(folder.path, 'fanfare.sqlite'), habits);
    const survived = await live(world, new Mortal(at, moment));
    if (!survived) await live(world);
    yield { at, world, deliveries: await readEnd(world) };
    if (survived) return;
  }
}

describe('killed at any moment and started again, every announcement is there exactly once', () => {
  const cases = [
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

  test.for(cases)('%s a call has its effect: %s', async ([moment, , habits]) => {
    let worlds = 0;
    for await (const { at, world, deliveries } of dieEverywhere(habits, moment)) {
      worlds++;
      expect(deliveries).toHaveLength(5);
      expect(world.platform.counts(), `killed at call ${at}`).toEqual(Object.fromEntries(deliveries.map(({ id }) => [id, 1])));
      expect(new Set(deliveries.map(({ state }) => state)), `killed at call ${at}`).toEqual(new Set(['sent']));
    }
    // Fewer would mean that the path was not walked.
    expect(worlds).toBeGreaterThan(50);
  });
});
