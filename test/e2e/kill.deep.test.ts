import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import type { World } from '#sandbox/world/world.ts';
import { eventually, freePort, getJson, launch, postJson } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const KILLS = 14;
const STREAMERS = 30;
const STREAM_ID = /stream (\d+)/;

const Deliveries = z.object({ items: z.array(z.object({ state: z.string() })), cursor: z.string().optional() });
const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });
const Messages = z.object({ items: z.array(z.object({ content: z.string() })), cursor: z.string().optional() });

const rule = (users: readonly string[]): string => `
id: announce
when:
  every: 5s
  watch: streaming.getStreams
  with: { users: [${users.join(', ')}] }
then:
  - id: post
    do: social.createPost
    with: { text: "\${{ item.owner.displayName }} is live: stream \${{ item.id }}" }
  - do: discord.send
    with: { channel: live, content: "\${{ item.owner.displayName }} is live: stream \${{ item.id }} \${{ steps.post.id }}" }
`;

/** People who are not live and have no scheduled stream for a while. */
function quietPeople(world: World, nowMs: number): readonly string[] {
  const soon = new Set(world.eventsBetween(nowMs, nowMs + 600_000).map(({ person }) => person.id));
  for (const { person } of world.liveAt(nowMs)) soon.add(person.id);
  return world.people
    .filter(({ id, handle }) => !soon.has(id) && /^[a-z]/.test(handle))
    .slice(0, STREAMERS)
    .map(({ handle }) => handle);
}

test(`killed ${KILLS} times at random, it announces every stream once and loses none`, async () => {
  await using sandbox = await startSandbox({});
  using directory = temporaryFolder({ inMemory: true });
  const users = quietPeople(sandbox.world, Date.now());
  await mkdir(join(directory.path, 'rules'));
  await writeFile(join(directory.path, 'rules', 'announce.yaml'), rule(users));
  const port = await freePort();
  const environment = {
    ...sandbox.environment,
    FANFARE_DATA: join(directory.path, 'data'),
    FANFARE_RULES: join(directory.path, 'rules'),
    LOG_LEVEL: 'warn',
  };
  const start = () => launch({ environment, port });
  const deliveries = async () => Deliveries.parse(await getJson(`http://127.0.0.1:${port}/api/deliveries?limit=100`)).items;

  const first = await start();
  await eventually('the first poll', async () => String(JSON.stringify(await getJson(`${first.url}/api/decisions`))).includes('announce'));
  await first.kill();

  const waiting = [...users];
  for (let kill = 0; kill < KILLS; kill++) {
    const fanfare = await start();
    const lifeMs = 300 + Math.random() * 1900;
    await sleep(lifeMs / 2);
    const user = kill % 2 === 0 ? waiting.shift() : undefined;
    if (user) await postJson(`${sandbox.url}/control/world`, { do: 'goLive', user });
    await sleep(lifeMs / 2);
    await fanfare.kill();
  }

  const begun = sandbox.world.liveAt(Date.now()).filter(({ person }) => users.includes(person.handle));
  const last = await start();
  await eventually('the end of all deliveries', async () => {
    const items = await deliveries();
    return items.length === begun.length * 2 && items.every(({ state }) => state === 'sent');
  }).catch(async (error: unknown) => {
    throw new Error(`${JSON.stringify(await deliveries(), undefined, 1)}\n${last.output()}`, { cause: error });
  });
  await last[Symbol.asyncDispose]();

  const posts = Posts.parse(await getJson(`${sandbox.url}/control/posts`)).items.map(({ text }) => STREAM_ID.exec(text)?.[1] ?? text);
  const messages = Messages.parse(await getJson(`${sandbox.url}/control/messages?limit=500`)).items.map(
    ({ content }) => STREAM_ID.exec(content)?.[1] ?? content,
  );
  const streams = begun.map(({ id }) => id).toSorted(byText);
  expect(streams.length).toBe(KILLS / 2);
  expect(posts.toSorted(byText)).toEqual(streams);
  expect(messages.toSorted(byText)).toEqual(streams);
});

function byText(a: string, b: string): number {
  return a.localeCompare(b);
}
