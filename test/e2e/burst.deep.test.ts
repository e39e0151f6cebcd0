import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { codeOf } from '#src/errors.ts';
import { startSandbox } from '#sandbox/index.ts';
import { startTwitch, type BenchTwitch, type TwitchNotification } from '../../bench/hints/twitch.ts';
import { eventually, freePort, getJson, getText, launch, untilReady, type FanfareProcess } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CHANNELS = 1_000;
const BURST = 10_000;
/** Of the channels of a burst, those that really begin a stream. */
const LIVE = 30;
/** Of each kind of notification that must have no effect. */
const REFUSED = 500;
/** Requests at once, as from a platform with many senders. */
const AT_ONCE = 100;
const MOST_GROWTH_MB = 25;

const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });

const rule = (handles: readonly string[]): string => `
id: live
when: { every: 7d, watch: streaming.getStreams, account: twitch, with: { users: [${handles.join(', ')}] } }
fuse: { firings: 100000, per: 1h }
then:
  - { do: social.createPost, with: { text: "\${{ item.owner.handle }} is live" } }
`;

/** The samples of a metric of Twitch by the value of a label. */
async function samples({ url }: FanfareProcess, metric: string, label: string): Promise<Readonly<Record<string, number>>> {
  const { text } = await getText(`${url}/metrics`);
  const lines = text.split('\n').filter((line) => line.startsWith(`${metric}{`) && line.includes('account="twitch"'));
  return Object.fromEntries(
    lines.map((line) => [new RegExp(`${label}="([^"]+)"`, 'u').exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]),
  );
}

function memoryMb({ pid }: FanfareProcess): number {
  const [, kB = '0'] = /VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kB) / 1_024;
}

const countOf = (text: string, part: string): number => text.split(part).length - 1;

/** Sends notifications as fast as the process takes them. Those that it asks to repeat count as answered. */
async function sendAll(
  twitch: BenchTwitch,
  all: readonly TwitchNotification[],
  signedWith?: string,
): Promise<readonly (number | undefined)[]> {
  // A busy process may close an idle connection while a notification is on its way. Twitch repeats it.
  const send = (one: TwitchNotification) =>
    twitch.send(one, signedWith).catch((error: unknown) => {
      if (!['ECONNRESET', 'UND_ERR_SOCKET'].includes(codeOf(error) ?? '')) throw error;
      return twitch.send(one, signedWith);
    });
  const statuses: (number | undefined)[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    statuses.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(send))));
  }
  return statuses;
}

/** A process with a rule for the channels of a Twitch. */
async function openStage(transport: 'websocket' | 'webhook', channels: number) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder({ inMemory: true }));
  const twitch = stack.use(await startTwitch(channels));
  const sandbox = stack.use(await startSandbox({}));
  const port = await freePort();
  mkdirSync(join(folder.path, 'rules'));
  writeFileSync(join(folder.path, 'rules', 'live.yaml'), rule(twitch.handles));
  const program = stack.use(
    await launch({
      port,
      environment: {
        ...sandbox.environment,
        ...twitch.environment,
        FANFARE_DATA: join(folder.path, 'data'),
        FANFARE_RULES: join(folder.path, 'rules'),
        LOG_LEVEL: 'warn',
        ...(transport === 'webhook' && { TWITCH_EVENTSUB: 'webhook', FANFARE_PUBLIC_URL: `http://127.0.0.1:${port}` }),
      },
    }),
  );
  await untilReady(program);
  const opened = stack.move();
  return {
    twitch,
    program,
    posts: async () => Posts.parse(await getJson(`${sandbox.url}/control/posts`)).items,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

test.for([
  ['websocket', [BURST, BURST, BURST]],
  // A request takes longer than a message of a connection.
  ['webhook', [BURST / 5, BURST]],
] as const)(
  '%s: in bursts of 10,000 notifications, no stream is lost, each is announced once, and the memory stays flat',
  async ([transport, bursts]) => {
    await using stage = await openStage(transport, CHANNELS);
    const { twitch, program } = stage;
    await eventually('the connection', async () => twitch.shards() > 0 && twitch.reads() >= CHANNELS / 100);
    twitch.isNotifying = false;
    const posts = async () => (await stage.posts()).map(({ text }) => text.split(' ')[0] ?? '');

    const memory: number[] = [];
    for (let burst = 0; burst < bursts.length; burst++) {
      const live = twitch.handles.slice(burst * LIVE, (burst + 1) * LIVE);
      for (const handle of live) twitch.set(handle, true);
      // Most notifications are about channels whose streams Helix does not show.
      const known = Array.from({ length: bursts[burst] ?? 0 }, (_, index) =>
        twitch.notification(twitch.handles[index % CHANNELS] ?? '', true),
      );
      await sendAll(twitch, known);
      const expected = twitch.handles.slice(0, (burst + 1) * LIVE);
      await eventually('the announcements', async () => (await posts()).length >= expected.length).catch(async (error: unknown) => {
        throw new Error(`${(await posts()).length} of ${expected.length}\n${program.output()}`, { cause: error });
      });
      await sleep(500);
      memory.push(memoryMb(program));
    }
    expect((await posts()).toSorted()).toEqual(twitch.handles.slice(0, bursts.length * LIVE).toSorted());
    const [before = 0, after = Infinity] = memory.slice(-2);
    expect(after - before, String(memory)).toBeLessThan(MOST_GROWTH_MB);
  },
);

test('websocket: repeated and foreign notifications have no effect, are counted and logged once', async () => {
  await refused('websocket', async ({ twitch, program }) => {
    const one = twitch.notification('streamer1', true);
    const ofOther = twitch.notification('streamer2', true);
    const foreign = { ...ofOther, subscription: { ...ofOther.subscription, transport: { method: 'conduit', conduit_id: 'of-another' } } };
    await sendAll(twitch, [one, ...Array.from({ length: REFUSED }, () => one)]);
    await sendAll(
      twitch,
      Array.from({ length: REFUSED }, (_, index) => ({ ...foreign, id: `foreign-${index}` })),
    );
    const types = () => samples(program, 'fanfare_notifications_total', 'type');
    await expect.poll(types).toMatchObject({ repeated: REFUSED, foreign: REFUSED });
    expect(countOf(program.output(), 'is not about a subscription of this installation')).toBe(1);
  });
});

test('webhook: forged, replayed, old and foreign notifications are refused, counted and logged once', async () => {
  await refused('webhook', async ({ twitch, program }) => {
    const many = (change: (one: TwitchNotification) => Partial<TwitchNotification>): readonly TwitchNotification[] =>
      Array.from({ length: REFUSED }, () => {
        const one = twitch.notification('streamer1', true);
        return { ...one, ...change(one) };
      });
    const replayed = twitch.notification('streamer1', true);
    expect(
      new Set(
        await sendAll(
          twitch,
          many(() => ({})),
          'another secret',
        ),
      ),
    ).toEqual(new Set([401]));
    expect(
      new Set(
        await sendAll(
          twitch,
          many(() => ({ atMs: Date.now() - 20 * 60_000 })),
        ),
      ),
    ).toEqual(new Set([401]));
    const foreign = { method: 'conduit', conduit_id: 'of-another' };
    expect(
      new Set(
        await sendAll(
          twitch,
          many(({ subscription }) => ({ subscription: { ...subscription, transport: foreign } })),
        ),
      ),
    ).toEqual(new Set([404]));
    expect(new Set(await sendAll(twitch, [replayed, ...many(() => replayed)]))).toEqual(new Set([204]));

    const answers = await samples(program, 'fanfare_notification_requests_total', 'answer');
    expect(answers).toMatchObject({ signature: REFUSED, timestamp: REFUSED, subscription: REFUSED, repeated: REFUSED, accepted: 1 });
    const output = program.output();
    expect(
      ['its signature is wrong', 'it is too old or from the future', 'this installation has no such subscription'].map((text) =>
        countOf(output, text),
      ),
    ).toEqual([1, 1, 1]);
  });
});

/** Sends notifications that must have no effect: afterwards, each channel had one poll at most, and nothing was announced. */
async function refused(
  transport: 'websocket' | 'webhook',
  send: (stage: { readonly twitch: BenchTwitch; readonly program: FanfareProcess }) => Promise<void>,
): Promise<void> {
  await using stage = await openStage(transport, 3);
  const { twitch, program } = stage;
  await eventually('the connection', async () => twitch.shards() > 0 && twitch.reads() > 0);
  let before = 0;
  await eventually('two seconds without a poll', async () => {
    before = twitch.reads();
    await sleep(2_000);
    return twitch.reads() === before;
  });
  await send({ twitch, program });
  await sleep(2_000);
  // The notification that was not refused may bring one poll, and its repeat.
  expect(twitch.reads() - before).toBeLessThanOrEqual(2);
  expect(await stage.posts()).toEqual([]);
}
