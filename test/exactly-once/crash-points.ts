import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'vitest';
import { isJsonObject } from '#src/operation/json.ts';
import type { Delivery } from '#src/delivery/delivery.ts';
import type { DeliveryEngine } from '#src/delivery/delivery-engine.ts';
import { Mortal } from '../delivery/killable.ts';
import { live } from './restarts.ts';
import type { Stage, World, WorldOptions } from './fixture.ts';
import type { Standing } from './platform-records.ts';

/** When a program dies, as to the request or the change of the database at which it does; `late`: before a request that still arrives. */
export type Moment = 'before' | 'after' | 'late';

/** How a world stood when nothing more happened in it by itself. */
interface End {
  readonly written: readonly Standing[];
  readonly subject: Standing | undefined;
  readonly deliveries: readonly Delivery[];
}

export interface Cut {
  /** Where in its path the program was killed, in words. */
  readonly where: string;
  readonly world: World;
  /** Before anybody looked. */
  readonly byItself: End;
  /** After the operator had looked, and had said what to do where nobody could know. */
  readonly end: End;
}

/** The worlds in which the program is killed at one request, or one change of its database, after the other; until one survives. */
export async function* cutEverywhere(stage: Stage, moment: Moment, options: WorldOptions): AsyncGenerator<Cut, void> {
  for (let at = 1; ; at++) {
    const world = await stage.newWorld(options);
    const mortal = new Mortal(at, moment === 'after' ? 'after' : 'before');
    const { late } = stage.lines;
    const survived = await live(world, { mortal, arrivesLate: moment === 'late' });
    // To die at what is no request was tried before.
    if (moment === 'late' && !survived && stage.lines.late === late) continue;
    if (!survived) {
      await stage.clock.advance(options.downMs ?? 0);
      await live(world);
    }
    yield { where: `${stage.network.name}, killed ${moment} ${at}`, world, ...(await endOf(world)) };
    if (survived) return;
  }
}

/** Lets a world come to its end, whose program lives on. */
export async function endOf(world: World): Promise<Pick<Cut, 'byItself' | 'end'>> {
  const byItself = await look(world);
  if (!byItself.deliveries.some(({ state }) => state === 'unknown')) return { byItself, end: byItself };
  await live(world, { operator: whoLooks(world) });
  return { byItself, end: await look(world) };
}

/** An operator who looks at the platform and says what is there. */
function whoLooks(world: World): (delivery: Delivery, engine: DeliveryEngine) => Promise<void> {
  return async ({ id, params }, engine) => {
    const stands = (await world.written()).some(({ text }) => text === params?.['text']);
    await engine.resolve(id, stands ? 'sent' : 'again');
  };
}

/** How it stands once everything has arrived that is on its way. */
async function look(world: World): Promise<End> {
  const { clock, lines } = world.stage;
  await clock.advance(30_000);
  while (lines.busy > 0) await turn();
  return { written: await world.written(), subject: await world.subject(), deliveries: await world.deliveries() };
}

/** Holds that everything stands once, with all that it was to have, and that it is known which is which. */
export function expectOnce({ where, byItself, end }: Cut): void {
  const texts = byItself.written.map(({ text }) => text);
  expect(texts, `${where}: twice by itself`).toEqual([...new Set(texts)]);
  for (const { state, params, result, error } of byItself.deliveries) {
    expect([where, state, error]).toEqual([where, 'sent', undefined]);
    expect(result, where).toMatchObject({ id: madeOf(params, byItself)?.id });
  }

  expect(end.written, where).toHaveLength(end.deliveries.length);
  for (const { state, params = {} } of end.deliveries) {
    const { text, replyTo, quote, poll, files = [] } = params;
    const wanted = {
      id: expect.any(String),
      text,
      replyTo,
      quote,
      poll: isJsonObject(poll) ? poll['options'] : undefined,
      files: Array.isArray(files) ? files.length : 0,
    };
    expect({ state, ...madeOf(params, end) }, where).toEqual({ state: 'sent', ...wanted });
  }
}

/** Holds that what was to be done to a post that stands is done, once where that is told, that nobody had to look, and nothing else was done. */
export function expectDone({ where, byItself: { deliveries, written, subject } }: Cut): void {
  for (const { do: verb, state, params, error } of deliveries) {
    expect([where, state, error]).toEqual([where, 'sent', undefined]);
    expect(subject?.text, where).toBe(verb === 'social.deletePost' ? undefined : params?.['text']);
    expect(subject?.edits ?? 1, where).toBe(1);
  }
  expect(written, where).toEqual([]);
}

function madeOf(params: Delivery['params'], { written }: End): Standing | undefined {
  return written.find(({ text }) => text === params?.['text']);
}
