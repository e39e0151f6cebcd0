import { fc } from '../support/property.ts';
import { describe, expect, test } from 'vitest';
import { Mortal } from '../delivery/killable.ts';
import { cutEverywhere, endOf, expectDone, expectOnce, type Cut, type Moment } from './crash-points.ts';
import { live } from './restarts.ts';
import type { Network } from './networks.ts';
import { openStage, type Stage, type WorldOptions } from './fixture.ts';
import { oneMessage, onePost, ownThread } from './rule-scenarios.ts';
import { DONE, ENOUGH, WRITTEN, type Tale } from './scenarios.ts';
import { CALM, OUT_OF_SIGHT, PAUSE_MS, TOO_MUCH, WEATHERS } from './faults.ts';

const ALL: readonly Moment[] = ['before', 'after', 'late'];
const RUNS = 12;
const TIMEOUT_MS = 120_000;

/** All cuts of a story, each of which left everything once, or as `hold` holds. */
export async function cuts(stage: Stage, moments: readonly Moment[], options: WorldOptions, hold = expectOnce): Promise<readonly Cut[]> {
  const all: Cut[] = [];
  for (const moment of moments) {
    for await (const cut of cutEverywhere(stage, moment, options)) {
      hold(cut);
      all.push(cut);
    }
  }
  return all;
}

/** What has to hold on every platform. */
export function postsOnce(network: Network): void {
  const { name, writes } = network;
  const weathers = WEATHERS.filter(({ on = name }) => on === name);
  const isHere = ({ on }: Tale): boolean => on === undefined || on.includes(name);

  describe('a program that is killed at any request and any change of its database posts once', () => {
    test.for(weathers)('one post: $name', { timeout: TIMEOUT_MS }, async (weather) => {
      await using stage = await openStage(network);

      const all = await cuts(stage, weather === CALM ? ALL : ENOUGH, { story: onePost(network), weather });

      // Fewer would mean that the path was not walked.
      expect(all.length).toBeGreaterThanOrEqual(8);
    });

    test.for(WRITTEN.filter(isHere))('$tale', { timeout: TIMEOUT_MS }, async ({ story, makes, cutIn }) => {
      await using stage = await openStage(network);

      for (const [weather, moments] of cutIn) {
        const all = await cuts(stage, moments, { story: story(network), weather });
        for (const { end, where } of all) expect(end.written.length, where).toBe(makes);
        expect(all.length).toBeGreaterThan(3 * makes);
      }
    });

    test.for(DONE.filter(isHere))('$tale', { timeout: TIMEOUT_MS }, async ({ story, cutIn }) => {
      await using stage = await openStage(network);

      for (const [weather, moments] of cutIn) {
        const all = await cuts(stage, moments, { story: story(network), weather }, expectDone);
        expect(all.length).toBeGreaterThan(3);
      }
    });
  });

  test('a platform that was asked too much is left alone for as long as it says', async () => {
    await using stage = await openStage(network);
    const world = await stage.newWorld({ story: onePost(network), weather: TOO_MUCH });

    await live(world);

    const [refused, made, ...others] = stage.lines.requests.filter(
      ({ method, path }) => method === writes.post?.method && path.includes(writes.post.route),
    );
    expect(others).toEqual([]);
    expect((made?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThanOrEqual(PAUSE_MS);
    expectOnce({ where: 'not killed', world, ...(await endOf(world)) });
  });

  test('a program that is killed again and again posts once, whatever else goes wrong', { timeout: TIMEOUT_MS }, async () => {
    await using stage = await openStage(network);
    let worlds = 0;
    const deaths = fc.array(fc.record({ at: fc.integer({ min: 1, max: 9 }), moment: fc.constantFrom(...ALL) }), {
      minLength: 2,
      maxLength: 6,
    });

    await fc.assert(
      fc.asyncProperty(deaths, fc.constantFrom(...weathers), fc.constantFrom(ownThread, oneMessage), async (plan, weather, story) => {
        const world = await stage.newWorld({ story: (weather === OUT_OF_SIGHT ? onePost : story)(network), weather });
        for (const { at, moment } of plan) {
          await live(world, { mortal: new Mortal(at, moment === 'after' ? 'after' : 'before'), arrivesLate: moment === 'late' });
        }
        await live(world);
        worlds += 1;
        expectOnce({ where: JSON.stringify({ plan, weather: weather.name, story: story.name }), world, ...(await endOf(world)) });
      }),
      { numRuns: RUNS },
    );

    expect(worlds).toBe(RUNS);
  });
}
