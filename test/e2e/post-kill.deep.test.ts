import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import { eventually, freePort, getJson, launch, postJson, untilReady } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });
const Deliveries = z.object({ items: z.array(z.object({ episode: z.string(), by: z.string(), state: z.string() })) });
const Members = z.object({ members: z.array(z.object({ username: z.string(), bot: z.boolean() })), connections: z.number() });
const View = z.object({ message: z.object({ id: z.string(), content: z.string() }).optional() });

/** The fault of the first request, and the time between the click and the kill. */
const DEATHS: readonly { readonly fault?: Readonly<Record<string, unknown>>; readonly afterMs: number }[] = [
  { afterMs: 0 },
  { afterMs: 15 },
  { afterMs: 40 },
  { afterMs: 80 },
  { afterMs: 150 },
  { fault: { kind: 'delay', ms: 1500, times: 1 }, afterMs: 400 },
  { fault: { kind: 'resetAfter', times: 1 }, afterMs: 250 },
  { fault: { kind: 'status', status: 503, times: 2 }, afterMs: 300 },
  { fault: { kind: 'resetBefore', times: 1 }, afterMs: 200 },
];

test(`killed at ${DEATHS.length} moments between the press and the receipt, each post is on each account once`, async () => {
  await using sandbox = await startSandbox({});
  using directory = temporaryFolder({ inMemory: true });
  await mkdir(join(directory.path, 'rules'));
  const { SANDBOX_URL = '', SANDBOX_TOKEN = '' } = sandbox.environment;
  await writeFile(
    join(directory.path, 'fanfare.yaml'),
    `accounts:\n  club: { platform: sandbox, url: '${SANDBOX_URL}', token: '\${CLUB_TOKEN}' }\ndefaults: { social: [sandbox, club] }\n`,
  );
  const port = await freePort();
  const environment = {
    ...sandbox.environment,
    CLUB_TOKEN: SANDBOX_TOKEN,
    FANFARE_DATA: join(directory.path, 'data'),
    FANFARE_RULES: join(directory.path, 'rules'),
    LOG_LEVEL: 'warn',
  };

  const control = (path: string, body: unknown) => postJson(`${sandbox.url}/control${path}`, body);
  const describeGuild = async () => Members.parse(await getJson(`${sandbox.url}/control/discord`));
  const start = async () => {
    const fanfare = await launch({ environment, port });
    await eventually(
      'the bot is in Discord',
      async () => (await getJson(`${fanfare.url}/healthz`)) && (await describeGuild()).connections > 0,
    );
    await untilReady(fanfare);
    return fanfare;
  };
  const listDeliveries = async () => Deliveries.parse(await getJson(`${fanfare.url}/api/deliveries?limit=100`)).items;
  const [user] = (await describeGuild()).members.filter(({ bot }) => !bot).map(({ username }) => username);

  let fanfare = await start();
  for (const [number, { fault, afterMs }] of DEATHS.entries()) {
    const text = `post ${number}`;
    const command = { user, channel: 'general', command: 'post now', options: { text } };
    const message = await eventually('the draft', async () => View.parse(await control('/discord/interactions', command)).message);
    if (fault) await control('/faults', { platform: 'social', route: '/createPost', ...fault });
    const order = { user, message: message.id, click: 'Send', waitMs: 0 };
    // After the draft was sent, it has no button.
    const press = () => control('/discord/interactions', order).catch(() => undefined);
    const response = press();
    await sleep(afterMs);
    await fanfare.kill();
    await response;
    await request(`${sandbox.url}/control/faults`, { method: 'DELETE', reset: true });
    fanfare = await start();
    // A user whose click had no effect clicks again: on a busy machine, the bot can answer after the deadline of Discord.
    await eventually('the deliveries of the post', async () => {
      await press();
      return (await listDeliveries()).length === (number + 1) * 2;
    });
  }

  await eventually('the end of all deliveries', async () => {
    const items = await listDeliveries();
    return items.length === DEATHS.length * 2 && items.every(({ state, by }) => state === 'sent' && by === user);
  }).catch(async (error: unknown) => {
    const seen = await getJson(`${fanfare.url}/api/deliveries?limit=100`);
    throw new Error(`${JSON.stringify(seen, undefined, 1)}\n${fanfare.output()}`, { cause: error });
  });
  await fanfare[Symbol.asyncDispose]();

  const texts = Posts.parse(await getJson(`${sandbox.url}/control/posts`)).items.map((post) => post.text);
  const each = DEATHS.map((_, number) => `post ${number}`);
  expect(texts.toSorted()).toEqual([...each, ...each].toSorted());
});
