import { setImmediate as nextLoop } from 'node:timers/promises';
import { expect } from 'vitest';
import { isJsonObject } from '#src/clients/operation/json.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { seed } from '../support/property.ts';
import { Killable } from '../engine/delivery/killable.ts';
import { runProgram } from './restarts.ts';
import type { Stage, World, WorldOptions } from './fixture.ts';
import type { PlatformRecord } from './platform-records.ts';

/** When the program is killed, relative to a request or a database change; `late`: before a request that still arrives. */
export type KillPoint = 'before' | 'after' | 'late';

/** The state of a world when it has come to rest. */
interface EndState {
  readonly written: readonly PlatformRecord[];
  readonly subject: PlatformRecord | undefined;
  readonly deliveries: readonly Delivery[];
}

export interface KilledRun {
  /** The kill point as text. */
  readonly where: string;
  readonly world: World;
  /** The state without an operator. */
  readonly unattended: EndState;
  /** The state after an operator resolved `unknown` deliveries. */
  readonly end: EndState;
}

export interface KillOptions extends WorldOptions {
  /** Kills at every so many requests and changes, from the first or a random one: the runs of the deep set add up. Default 1. */
  readonly every?: number;
}

/** Kills the program at its first request or database change, its second one, and so on, each time in a new world, until a run survives. */
export async function* killEverywhere(stage: Stage, killPoint: KillPoint, options: KillOptions): AsyncGenerator<KilledRun, void> {
  const { every = 1 } = options;
  for (let at = 1 + (seed % every); ; at += every) {
    const world = await stage.newWorld(options);
    const killable = new Killable(at, killPoint === 'after' ? 'after' : 'before');
    const { late } = stage.connections;
    const survived = await runProgram(world, { killable, arrivesLate: killPoint === 'late' });
    // A kill at a database change was tested before.
    if (killPoint === 'late' && !survived && stage.connections.late === late) continue;
    if (!survived) {
      await stage.clock.advance(options.downMs ?? 0);
      await runProgram(world);
    }
    yield { where: `${stage.network.name}, killed ${killPoint} ${at}`, world, ...(await endOf(world)) };
    if (survived) return;
  }
}

/** The end of a world whose program is not killed any more. */
export async function endOf(world: World): Promise<Pick<KilledRun, 'unattended' | 'end'>> {
  const unattended = await readEnd(world);
  if (!unattended.deliveries.some(({ state }) => state === 'unknown')) return { unattended, end: unattended };
  await runProgram(world, { operator: operatorOf(world) });
  return { unattended, end: await readEnd(world) };
}

/** An operator who checks the platform and resolves the delivery. */
function operatorOf(world: World): (delivery: Delivery, engine: DeliveryEngine) => Promise<void> {
  return async ({ id, params }, engine) => {
    const isThere = (await world.written()).some(({ text }) => text === params?.['text']);
    await engine.resolve(id, isThere ? 'sent' : 'again');
  };
}

/** The state after all requests on their way have arrived. */
async function readEnd(world: World): Promise<EndState> {
  const { clock, connections } = world.stage;
  await clock.advance(30_000);
  while (connections.busy > 0) await nextLoop();
  return { written: await world.written(), subject: await world.subject(), deliveries: await world.deliveries() };
}

/** Expects each record once, complete, and assigned to the right delivery. */
export function expectOnce({ where, unattended, end }: KilledRun): void {
  const texts = unattended.written.map(({ text }) => text);
  expect(texts, `${where}: sent twice`).toEqual([...new Set(texts)]);
  for (const { state, params, result, error } of unattended.deliveries) {
    expect([where, state, error]).toEqual([where, 'sent', undefined]);
    expect(result, where).toMatchObject({ id: recordOf(params, unattended)?.id });
  }

  expect(end.written, where).toHaveLength(end.deliveries.length);
  for (const { state, params = {} } of end.deliveries) {
    const { text, replyTo, quote, poll, files = [] } = params;
    const expected = {
      id: expect.any(String),
      text,
      replyTo,
      quote,
      poll: isJsonObject(poll) ? poll['options'] : undefined,
      files: Array.isArray(files) ? files.length : 0,
    };
    expect({ state, ...recordOf(params, end) }, where).toEqual({ state: 'sent', ...expected });
  }
}

/** Expects that the edit or deletion is done once, without an operator, and that no record was created. */
export function expectDone({ where, unattended: { deliveries, written, subject } }: KilledRun): void {
  for (const { do: verb, state, params, error } of deliveries) {
    expect([where, state, error]).toEqual([where, 'sent', undefined]);
    expect(subject?.text, where).toBe(verb === 'social.deletePost' ? undefined : params?.['text']);
    expect(subject?.edits ?? 1, where).toBe(1);
  }
  expect(written, where).toEqual([]);
}

function recordOf(params: Delivery['params'], { written }: EndState): PlatformRecord | undefined {
  return written.find(({ text }) => text === params?.['text']);
}
