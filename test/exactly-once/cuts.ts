import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Delivery } from '#src/outbox/delivery.ts';
import type { Outbox } from '#src/outbox/outbox.ts';
import { Mortal } from '../outbox/mortal.ts';
import { live } from './lives.ts';
import type { StandingPost } from './networks.ts';
import type { Stage, World, WorldOptions } from './stage.ts';

/** When a program dies, as to the request or the change of the database at which it does; `late`: before a request that still arrives. */
export type Moment = 'before' | 'after' | 'late';

/** How a world stood when nothing more happened in it by itself. */
interface End {
  readonly posts: readonly StandingPost[];
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
    if (!survived) await live(world);
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
function whoLooks(world: World): (delivery: Delivery, outbox: Outbox) => Promise<void> {
  return async ({ id, params }, outbox) => {
    const stands = (await world.posts()).some(({ text }) => text === params?.['text']);
    await outbox.resolve(id, stands ? 'sent' : 'again');
  };
}

/** How it stands once everything has arrived that is on its way. */
async function look(world: World): Promise<End> {
  const { clock, lines } = world.stage;
  await clock.advance(30_000);
  while (lines.busy > 0) await turn();
  return { posts: await world.posts(), deliveries: await world.deliveries() };
}

/** Longer than the program looks for a post. */
const LOOKED_FOR_MS = 10_000;

/** Holds that everything stands once, with its files and in reply to what it was to answer, and that it is known which post is which. */
export function expectOnce({ where, world, byItself, end }: Cut): void {
  const texts = byItself.posts.map(({ text }) => text);
  expect(texts, `${where}: twice by itself`).toEqual([...new Set(texts)]);
  const open = byItself.deliveries.filter(({ state }) => state === 'unknown');
  for (const { state, params, result, since, error } of byItself.deliveries) {
    const post = postOf(params, byItself);
    if (state === 'sent') expect(result, where).toMatchObject({ id: post?.id });
    // What comes after something that nobody knows waits for whoever looks.
    else if (state === 'pending' && !since) expect(open, where).not.toEqual([]);
    else expect([where, state, isUnknowable(post, world), error]).toEqual([where, 'unknown', true, error]);
  }

  expect(end.posts, where).toHaveLength(end.deliveries.length);
  for (const { state, params = {} } of end.deliveries) {
    const { files = [], replyTo } = params;
    const post = postOf(params, end);
    expect({ state, replyTo: post?.replyTo, files: post?.files }, where).toEqual({
      state: 'sent',
      replyTo,
      files: Array.isArray(files) ? files.length : 0,
    });
  }
}

function postOf(params: Delivery['params'], { posts }: End): StandingPost | undefined {
  return posts.find(({ text }) => text === params?.['text']);
}

/** Whether nobody but the operator can find out what became of it: the platform has nothing that could be read back. */
function isUnknowable(post: StandingPost | undefined, { stage, weather }: World): boolean {
  return !stage.network.tells && (post === undefined || (weather.hiddenMs ?? 0) > LOOKED_FOR_MS);
}
