import { queryObjects } from 'node:v8';
import { Base } from 'discord.js';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createConnectionStatus } from '#src/discord/connection-status.ts';
import { connectDiscord } from '#src/discord/connect-discord.ts';
import { systemClock } from '#src/clock.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createLog } from '#src/log.ts';
import { install, type Installation } from './installation.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

const HOURS = 8;
const HOUR_SECONDS = 3600;
/** Statements, code and buffers are made in the first hours. */
const WARM_HOURS = 4;
/** The sandbox in the same process keeps what it received. A card that is stored at each edit would need ten times as much. */
const MOST_GROWTH_BYTES = 3_000_000;

/** One card of a stream that lasts all the time, edited every four minutes. */
const CARD = `
id: card
when: { every: 4m, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - id: card
    do: discord.send
    with: { channel: live, content: "\${{ item.owner.displayName }} is live" }
while:
  - do: discord.edit
    with: { message: "\${{ steps.card.id }}", content: "\${{ item.viewerCount }} watch \${{ item.owner.displayName }} at poll \${{ episode.polls }}" }
`;

const EDIT = '/discord/api/v10/channels/:channel/messages/:message';
const Requests = z.object({ items: z.array(z.object({ method: z.string(), route: z.string(), count: z.number() })) });
const Connections = z.object({ connections: z.number(), members: z.array(z.object({ username: z.string(), bot: z.boolean() })) });

/** Each request of the test opens a connection, because the server has closed an idle one. */
const dispatcher = new Agent({ pipelining: 0 });

async function control({ sandbox }: Installation, path: string, order?: object): Promise<unknown> {
  const { body } = await request(`${sandbox.url}/control${path}`, {
    dispatcher,
    ...(order && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) }),
  });
  return body.json();
}

async function countOf(installed: Installation, wantedMethod: string, wantedRoute: string): Promise<number> {
  const { items } = Requests.parse(await control(installed, '/requests'));
  return items.find(({ method, route }) => method === wantedMethod && route === wantedRoute)?.count ?? 0;
}

/** Connects the bot of `src/app/app.ts`. It runs on the real clock, because discord.js knows no other one. */
function connect(installed: Installation, stack: AsyncDisposableStack): ReturnType<typeof connectDiscord> {
  const stopping = new AbortController();
  const { store, sandbox } = installed;
  const bot = connectDiscord({
    config: configOfEnvironment(sandbox.environment),
    clients: { streaming: new Map(), social: new Map() },
    savedViews: store.savedViews,
    conversations: store,
    conversation: undefined,
    questions: { read: () => undefined, find: async () => undefined, onAnswer: async () => undefined },
    gatewayLock: store.gatewayLock,
    status: createConnectionStatus(() => undefined),
    clock: systemClock,
    log: createLog({ level: 'error', secrets: [], write: () => undefined, color: false }),
    signal: stopping.signal,
  });
  stack.defer(async () => {
    stopping.abort();
    await bot.closed;
  });
  return bot;
}

/** The live heap, and the objects of discord.js that its caches could keep. */
function measure(): { readonly bytes: number; readonly objects: number } {
  collectGarbage();
  // Messages, users, members, servers and channels extend it. Each query walks the whole heap.
  const objects = queryObjects(Base, { format: 'count' });
  collectGarbage();
  return { bytes: process.memoryUsage().heapUsed, objects };
}

test('the live heap stays flat over eight hours of edits and reconnects', async () => {
  await using installed = await install({ rules: [CARD] });
  await using stack = new AsyncDisposableStack();
  const bot = connect(installed, stack);
  await expect.poll(() => bot.status.state).toBe('connected');
  // The first poll announces nothing.
  await installed.pass(240, 240);
  installed.order({ do: 'goLive', user: 'ada' });
  const measured: ReturnType<typeof measure>[] = [];

  for (let hour = 0; hour < HOURS; hour++) {
    await installed.pass(HOUR_SECONDS, 240);
    await control(installed, '/discord/gateway', { do: hour % 2 === 0 ? 'drop' : 'reconnect' });
    await expect.poll(() => countOf(installed, 'GET', '/discord/gateway')).toBe(hour + 2);
    await expect.poll(() => bot.status.state).toBe('connected');
    if (hour + 1 === WARM_HOURS || hour + 1 === HOURS) measured.push(measure());
  }

  const [warm, last] = measured;
  expect(await countOf(installed, 'PATCH', EDIT)).toBeGreaterThan(HOURS * 12);
  expect(last?.objects).toBeLessThan((warm?.objects ?? 0) + 10);
  expect((last?.bytes ?? Infinity) - (warm?.bytes ?? 0)).toBeLessThan(MOST_GROWTH_BYTES);
  expect(Connections.parse(await control(installed, '/discord')).connections).toBe(1);
});
