import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import { eventually, getJson, launch } from '../support/fanfare-process.ts';
import { longestStayMs } from '../support/run-command.ts';
import { measureRunningTime } from '../support/running-time.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Deliveries = z.object({
  items: z.array(z.object({ rule: z.string(), do: z.string(), state: z.string(), sentAt: z.iso.datetime().optional() })),
});
const Decisions = z.object({ items: z.array(z.unknown()) });
const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });
const Messages = z.object({ items: z.array(z.object({ content: z.string(), channel: z.object({ name: z.string() }) })) });

test('npm start without an account announces changes of the world within sixty seconds, and opens no connection to other machines', async () => {
  using directory = temporaryFolder({ inMemory: true });
  const reporting = `--import=${pathToFileURL('test/support/report-connections.mjs').href}`;
  await using fanfare = await launch({ environment: { FANFARE_DATA: directory.path, NODE_OPTIONS: reporting } });

  const sent = await eventually('an announcement on both platforms', async () => {
    const { items } = Deliveries.parse(await getJson(`${fanfare.url}/api/deliveries?state=sent`));
    const verbs = items.filter(({ rule }) => rule === 'valorant-top').map((item) => item.do);
    return verbs.includes('social.createPost') && verbs.includes('discord.send') && items;
  });
  const posts = Posts.parse(await getJson(`${fanfare.url}/api/posts`));
  const messages = Messages.parse(await getJson(`${fanfare.url}/api/messages`));

  expect(sent.every(({ sentAt }) => sentAt !== undefined)).toBe(true);
  expect(posts.items.some(({ text }) => /is now #[1-5] in VALORANT/.test(text))).toBe(true);
  expect(messages.items.some(({ content, channel }) => channel.name === 'stream-news' && content.startsWith('New in the top five'))).toBe(
    true,
  );
  expect(fanfare.output().match(/http:\/\/\S+/g)).toEqual([
    fanfare.url,
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/discord\/view\/general$/),
  ]);
  expect([...new Set(fanfare.output().match(/(?<=^connects to )\S+/gm))]).toEqual(['127.0.0.1']);
});

test.runIf(process.platform === 'linux')('Fanfare is one process whose threads share one heap of the C library', async () => {
  using directory = temporaryFolder({ inMemory: true });
  await using fanfare = await launch({ environment: { FANFARE_DATA: directory.path } });
  await eventually('the page', () => getJson(`${fanfare.url}/readyz`));

  const proc = `/proc/${fanfare.pid}`;
  const environment = readFileSync(`${proc}/environ`, 'utf8').split('\0');
  expect(environment).toEqual(expect.arrayContaining(['MALLOC_ARENA_MAX=1', 'MALLOC_TRIM_THRESHOLD_=131072']));
  expect(readFileSync(`${proc}/cmdline`, 'utf8').split('\0')).toContain('--max-semi-space-size=1');
  expect(readFileSync(`${proc}/task/${fanfare.pid}/children`, 'utf8')).toBe('');
  // An upgrade in place removes the files of modules that are not loaded yet.
  await eventually('the libraries for pictures', async () => readFileSync(`${proc}/maps`, 'utf8').includes('libvips'));
});

test('a stop request ends the process without unfinished work', async () => {
  using directory = temporaryFolder({ inMemory: true });
  const fanfare = await launch({ environment: { FANFARE_DATA: directory.path } });
  await eventually('the page', () => getJson(`${fanfare.url}/readyz`));

  await fanfare[Symbol.asyncDispose]();

  expect(await fanfare.exit).toBe(0);
});

test('a stop request during a slow answer ends the process soon and without errors', async () => {
  using directory = temporaryFolder({ inMemory: true });
  await using sandbox = await startSandbox();
  await using fanfare = await launch({ environment: { FANFARE_DATA: directory.path, ...sandbox.environment } });
  await eventually('a first poll', async () => Decisions.parse(await getJson(`${fanfare.url}/api/decisions`)).items.length > 0);
  sandbox.faults.add({ platform: 'twitch', kind: 'delay', ms: 60_000, times: 50 });
  await eventually('a poll that waits', async () => sandbox.faults.all().some(({ times = 50 }) => times < 50));
  void Promise.allSettled([getJson(`${fanfare.url}/api/live`), getJson(fanfare.url)]);

  using stopping = measureRunningTime();
  await fanfare[Symbol.asyncDispose]();

  expect(await fanfare.exit).toBe(0);
  // A request that is not aborted takes ten seconds.
  expect(stopping.ms).toBeLessThan(7_000 + longestStayMs());
  expect(fanfare.output()).not.toMatch(/ (warn|error) /);
});

test('the start ends without leftovers if the port is in use', async () => {
  using taken = temporaryFolder({ inMemory: true });
  using directory = temporaryFolder({ inMemory: true });
  await using first = await launch({ environment: { FANFARE_DATA: taken.path } });
  await eventually('the page', () => getJson(`${first.url}/readyz`));

  await using second = await launch({ environment: { FANFARE_DATA: directory.path }, port: Number(new URL(first.url).port) });

  const code = await Promise.race([second.exit, sleep(240_000, 'it still runs', { ref: false })]);
  expect({ code, output: second.output() }).toMatchObject({
    code: 1,
    output: expect.stringContaining('is already in use by another program'),
  });
});

test.skipIf(olderNode() === undefined)('an older Node starts the Node of the project', () => {
  const { status, stdout, stderr } = spawnSync(olderNode() ?? '', ['bin/fanfare.mjs', '--help'], { encoding: 'utf8' });

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('Usage: fanfare');
});

/** An installed Node that is too old for the project. */
function olderNode(): string | undefined {
  const { stdout } = spawnSync('which', ['-a', 'node'], { encoding: 'utf8' });
  return stdout.split('\n').find((path) => {
    const version = path === '' ? '' : spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout;
    return /^v2[0-3]\./.test(version);
  });
}
