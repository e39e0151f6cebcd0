import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import { eventually, freePort, getJson, launch, ON_CALL, runRules, untilReady } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });
const Deliveries = z.object({ items: z.array(z.object({ rule: z.string(), account: z.enum(['x', 'bluesky']), state: z.string() })) });

/** A delivery to X that was killed before its request arrived is `sending` for minutes, while Fanfare searches X for it. */
const ENDS = { x: ['sent', 'unknown', 'sending'], bluesky: ['sent'] };

/** The time between the run of the rule and the first due post. All posts are usually stored by then. */
const FIRST_MS = 9_000;
const POSTS = 4;
const APART_MS = 700;
/** The times of the kills after the first post is due. */
const DEATHS_MS = [0, 350, 400, 300];

const RULE = `id: later
when: { webhook: ${ON_CALL.webhook}, fields: { run: text, times: [text] } }
then:
${Array.from({ length: POSTS }, (_, n) => {
  const content = `text: "later ${n} at \${{ item.run }}", sendAt: "\${{ item.times[${n}] }}"`;
  return `  - { do: social.createScheduledPost, as: [x, bluesky], with: { ${content} } }`;
}).join('\n')}
`;

test(`scheduled posts of Fanfare for X and Bluesky are sent once each, even with ${DEATHS_MS.length} kills around their time`, async () => {
  await using sandbox = await startSandbox({});
  using directory = temporaryFolder({ inMemory: true });
  await mkdir(join(directory.path, 'rules'));
  const { X_API_URL = '', X_API_KEY = '', X_API_SECRET = '', X_ACCESS_TOKEN = '', X_ACCESS_SECRET = '' } = sandbox.onRequest['x'] ?? {};
  const { BLUESKY_URL = '', BLUESKY_HANDLE = '', BLUESKY_APP_PASSWORD = '' } = sandbox.onRequest['bluesky'] ?? {};
  const port = await freePort();
  const environment = {
    X_API_URL,
    X_API_KEY,
    X_API_SECRET,
    X_ACCESS_TOKEN,
    X_ACCESS_SECRET,
    BLUESKY_URL,
    BLUESKY_HANDLE,
    BLUESKY_APP_PASSWORD,
    FANFARE_DATA: join(directory.path, 'data'),
    FANFARE_RULES: join(directory.path, 'rules'),
    LOG_LEVEL: 'warn',
    ...ON_CALL.environment,
  };
  await writeFile(join(directory.path, 'rules', 'later.yaml'), RULE);
  const deliveries = async (url: string) => Deliveries.parse(await getJson(`${url}/api/deliveries?limit=100`)).items;
  const start = async () => {
    const fanfare = await launch({ environment, port });
    await untilReady(fanfare);
    return fanfare;
  };

  let fanfare = await start();
  let begunMs = Date.now();
  let firstMs = FIRST_MS;
  let sentBefore = 0;
  for (let run = 1, isTooLate = true; isTooLate; run++, firstMs *= 2) {
    begunMs = Date.now();
    const times = Array.from({ length: POSTS }, (_, number) => new Date(begunMs + firstMs + number * APART_MS).toISOString());
    await runRules(fanfare, { run: String(begunMs), times });
    const scheduled = await eventually('all posts are scheduled', async () => {
      const items = (await deliveries(fanfare.url)).filter(({ rule, state }) => rule === 'later' && /^(?:sent|failed)$/u.test(state));
      return items.length === 2 * POSTS * run && items;
    }).catch(async (error: unknown) => {
      throw new Error(`${JSON.stringify(await deliveries(fanfare.url))}\n${fanfare.output()}`, { cause: error });
    });
    // A post for a past time is refused.
    const sent = scheduled.filter(({ state }) => state === 'sent').length;
    isTooLate = sent - sentBefore < 2 * POSTS;
    sentBefore = sent;
    if (!isTooLate) await sleep(Math.max(0, begunMs + firstMs - Date.now()));
  }
  for (const afterMs of DEATHS_MS) {
    await sleep(afterMs);
    await fanfare.kill();
    fanfare = await start();
  }

  await eventually('all posts went out', async () => {
    const items = await deliveries(fanfare.url);
    const posts = items.filter(({ rule }) => rule === '/post');
    return posts.length >= 2 * POSTS && posts.every(({ account, state }) => ENDS[account].includes(state));
  }).catch(async (error: unknown) => {
    throw new Error(`${JSON.stringify(await getJson(`${fanfare.url}/api/deliveries?limit=100`))}\n${fanfare.output()}`, { cause: error });
  });
  const open = (await deliveries(fanfare.url)).filter(({ rule, state }) => rule === '/post' && state !== 'sent');
  await fanfare[Symbol.asyncDispose]();

  const all = Array.from({ length: POSTS }, (_, number) => `later ${number} at ${begunMs}`);
  const standing = async (platform: string): Promise<readonly string[]> => {
    const { items } = Posts.parse(await getJson(`${sandbox.url}/control/${platform}/posts`));
    return items.map(({ text }) => text).filter((text) => text.endsWith(String(begunMs)));
  };
  const onX = await standing('x');
  expect((await standing('bluesky')).toSorted()).toEqual(all);
  // X has no idempotency keys. A delivery that cannot be reconciled is not sent again.
  expect(new Set(onX).size).toBe(onX.length);
  expect(open.every(({ account }) => account === 'x')).toBe(true);
  expect(onX.length).toBeGreaterThanOrEqual(POSTS - open.length);
});
