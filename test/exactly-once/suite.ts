import { fc } from '../support/property.ts';
import { describe, expect, test } from 'vitest';
import { Killable } from '../engine/delivery/killable.ts';
import { killEverywhere, endOf, expectDone, expectOnce, type KilledRun, type KillOptions, type KillPoint } from './kill-points.ts';
import { runProgram } from './restarts.ts';
import type { Network } from './networks.ts';
import { openStage, type Stage } from './fixture.ts';
import { oneMessage, onePost, threadOfSteps } from './scenarios.ts';
import { CHANGES, MAIN_KILL_POINTS, WRITES, type ScenarioCase } from './scenario-matrix.ts';
import { NO_FAULTS, HIDDEN_FOR_A_MINUTE, PAUSE_MS, RATE_LIMITED, FAULT_SCHEDULES } from './faults.ts';

const ALL_KILL_POINTS: readonly KillPoint[] = ['before', 'after', 'late'];
/** A run of the deep set kills at each fourth request or change. The seed selects the first one. */
const EVERY = 4;
const RUNS = 8;

/** Kills the program at every kill point of a scenario and checks each run with `verify`. */
export async function killedRuns(
  stage: Stage,
  killPoints: readonly KillPoint[],
  options: KillOptions,
  verify = expectOnce,
): Promise<readonly KilledRun[]> {
  const all: KilledRun[] = [];
  for (const killPoint of killPoints) {
    for await (const run of killEverywhere(stage, killPoint, options)) {
      verify(run);
      all.push(run);
    }
  }
  return all;
}

/** The tests of every platform. */
export function postsOnce(network: Network): void {
  const { name, writes } = network;
  const schedules = FAULT_SCHEDULES.filter(({ on = name }) => on === name);
  const appliesHere = ({ on }: ScenarioCase): boolean => on === undefined || on.includes(name);

  describe('a program that is killed at any request or database change posts once', () => {
    test.for(schedules)('one post: $name', async (faults) => {
      await using stage = await openStage(network);

      const all = await killedRuns(stage, faults === NO_FAULTS ? ALL_KILL_POINTS : MAIN_KILL_POINTS, {
        scenario: onePost(network),
        faults,
        every: EVERY,
      });

      // Fewer runs mean that the scenario did not reach the platform.
      expect(EVERY * all.length).toBeGreaterThanOrEqual(8);
    });

    test.for(WRITES.filter(appliesHere))('$title', async ({ scenario, makes, runs }) => {
      await using stage = await openStage(network);

      for (const [faults, killPoints] of runs) {
        const all = await killedRuns(stage, killPoints, { scenario: scenario(network), faults, every: EVERY });
        for (const { end, where } of all) expect(end.written.length, where).toBe(makes);
        expect(EVERY * all.length).toBeGreaterThan(3 * makes);
      }
    });

    test.for(CHANGES.filter(appliesHere))('$title', async ({ scenario, runs }) => {
      await using stage = await openStage(network);

      for (const [faults, killPoints] of runs) {
        const all = await killedRuns(stage, killPoints, { scenario: scenario(network), faults, every: EVERY }, expectDone);
        expect(EVERY * all.length).toBeGreaterThan(3);
      }
    });
  });

  test('a rate-limited post is repeated only after the pause that the platform asks for', async () => {
    await using stage = await openStage(network);
    const world = await stage.newWorld({ scenario: onePost(network), faults: RATE_LIMITED });

    await runProgram(world);

    const [refused, created, ...others] = stage.connections.requests.filter(
      ({ method, path }) => method === writes.post?.method && path.includes(writes.post.route),
    );
    expect(others).toEqual([]);
    expect((created?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThanOrEqual(PAUSE_MS);
    expectOnce({ where: 'not killed', world, ...(await endOf(world)) });
  });

  test('a program that is killed several times posts once, with any faults', async () => {
    await using stage = await openStage(network);
    let worlds = 0;
    const kills = fc.array(fc.record({ at: fc.integer({ min: 1, max: 9 }), killPoint: fc.constantFrom(...ALL_KILL_POINTS) }), {
      minLength: 2,
      maxLength: 6,
    });

    await fc.assert(
      fc.asyncProperty(kills, fc.constantFrom(...schedules), fc.constantFrom(threadOfSteps, oneMessage), async (plan, faults, scenario) => {
        const world = await stage.newWorld({ scenario: (faults === HIDDEN_FOR_A_MINUTE ? onePost : scenario)(network), faults });
        for (const { at, killPoint } of plan) {
          await runProgram(world, {
            killable: new Killable(at, killPoint === 'after' ? 'after' : 'before'),
            arrivesLate: killPoint === 'late',
          });
        }
        await runProgram(world);
        worlds += 1;
        expectOnce({ where: JSON.stringify({ plan, faults: faults.name, scenario: scenario.name }), world, ...(await endOf(world)) });
      }),
      { numRuns: RUNS },
    );

    expect(worlds).toBe(RUNS);
  });
}
