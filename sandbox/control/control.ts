import { Hono } from 'hono';
import type { PlatformServer, SandboxContext } from '../context.ts';
import type { MovableClock } from '../movable-clock.ts';
import type { Requests } from '../requests.ts';
import type { World, WorldOrder } from '../world/world.ts';
import { serve } from './endpoint.ts';
import {
  addFault,
  changeWorld,
  deleteFaults,
  describeWorld,
  getNow,
  listEvents,
  listFaults,
  listRequests,
  listStreamers,
  moveClock,
} from './endpoints.ts';
import { eventsPage } from './events.ts';
import { requireGame, requirePerson } from './named.ts';
import { OrderError, unknownName } from './order-error.ts';
import { streamersPage } from './streamers.ts';

export interface ControlOptions {
  readonly context: SandboxContext;
  readonly platforms: readonly PlatformServer[];
  readonly requests: Requests;
  /** The speed relative to the clock of the machine. */
  readonly speed: number;
  /** The clock, if orders may move it. */
  readonly movable?: MovableClock | undefined;
}

/** The control API: it reads the world and changes it. */
export function controlRoutes({ context, platforms, requests, speed, movable }: ControlOptions): Hono {
  const { world, clock, faults } = context;
  const names = platforms.map(({ name }) => name);
  const now = (): string => new Date(clock.nowMs()).toISOString();

  function checkPlatform(platform: string | undefined): void {
    if (platform !== undefined && !names.includes(platform)) {
      throw unknownName({ field: 'platform', noun: 'platform', name: platform, known: names });
    }
  }

  const routes = new Hono();
  routes.onError((error, c) => {
    if (error instanceof OrderError) return c.json({ error: error.message }, 400);
    throw error;
  });

  const time = () => ({ now: now(), speed: speed * (movable?.speed ?? 1), movable: movable !== undefined });
  serve(routes, getNow, time);
  serve(routes, moveClock, ({ body }) => {
    if (!movable) throw new OrderError('the clients of this sandbox have clocks of their own, so the clock cannot be moved.');
    movable.move(body);
    return time();
  });
  serve(routes, describeWorld, () => ({ platforms: names, games: world.games.map(({ id, name }) => ({ id, name })) }));
  serve(routes, listStreamers, ({ query }) => streamersPage(world, query, clock.nowMs()));
  serve(routes, listEvents, ({ query }) => eventsPage(world, query, clock.nowMs()));
  serve(routes, listRequests, ({ query: { platform } }) => {
    checkPlatform(platform);
    return { items: requests.all().filter((each) => platform === undefined || each.platform === platform) };
  });
  serve(routes, changeWorld, ({ body }) => {
    checkNames(world, body);
    const broadcast = carryOut(world, body, clock.nowMs());
    return { at: now(), broadcastId: broadcast?.id };
  });

  serve(routes, listFaults, () => ({ items: faults.all() }));
  serve(routes, addFault, ({ body }) => {
    checkPlatform(body.platform);
    faults.add(body);
    return { items: faults.all() };
  });
  serve(routes, deleteFaults, ({ query: { platform } }) => {
    checkPlatform(platform);
    faults.clear(platform);
    return { items: faults.all() };
  });

  for (const { control } of platforms) if (control) routes.route('/', control);
  return routes;
}

/** Throws an `OrderError` with a suggestion if the streamer or the game does not exist. */
function checkNames(world: World, { user, game }: WorldOrder): void {
  requirePerson(world, user);
  if (game !== undefined) requireGame(world, game);
}

function carryOut(world: World, order: WorldOrder, atMs: number): ReturnType<World['order']> {
  try {
    return world.order(order, atMs);
  } catch (error) {
    // The streamer and the game exist, so the stream is what is wrong.
    if (!(error instanceof RangeError)) throw error;
    throw new OrderError(order.do === 'goLive' ? `broadcastId: ${error.message}.` : `user: ${error.message}. Send goLive first.`);
  }
}
