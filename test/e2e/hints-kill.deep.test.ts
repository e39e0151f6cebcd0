import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import type { World } from '#sandbox/world/world.ts';
import { Random } from '../chaos/random.ts';
import { eventually, getJson, launch, postJson, untilReady, type FanfareProcess } from '../support/fanfare-process.ts';
import { startPostgres } from '../support/postgres.ts';
import { chosen, seed } from '../support/property.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const STREAMERS = 12;
/** Longer than the lease of the connection. */
const FROZEN_MS = 14_000;
/** Hints come with the connection, and repeats within two minutes. The rule itself polls each hour. */
const WITHIN_MS = 240_000;

const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });
const Messages = z.object({ items: z.array(z.object({ content: z.string() })) });
const EventSub = z.object({ subscriptions: z.object({ enabled: z.number() }) });

const rule = (users: readonly string[]): string => `
id: announce
when:
  every: 1h
  watch: streaming.getStreams
  with: { users: [${users.join(', ')}] }
then:
  - id: post
    do: social.createPost
    with: { text: "\${{ item.owner.handle }} is live" }
  - do: discord.send
    with: { channel: live, content: "\${{ item.owner.handle }} is live \${{ steps.post.id }}" }
`;

/** People who are not live and have no scheduled stream for a while. */
function quietPeople(world: World, nowMs: number): readonly string[] {
  const soon = new Set(world.eventsBetween(nowMs, nowMs + 900_000).map(({ person }) => person.id));
  for (const { person } of world.liveAt(nowMs)) soon.add(person.id);
  return world.people
    .filter(({ id, handle }) => !soon.has(id) && /^[a-z][a-z\d]+$/u.test(handle))
    .slice(0, STREAMERS)
    .map(({ handle }) => handle);
}

const STATES = [
  ['in a file, with one process', 1, false],
  ['on PostgreSQL, with four workers', 4, true],
] as const;

test.for([chosen(STATES, 1)])(
  '%s: killed, frozen and cut off, it announces each stream of a hint once',
  async ([name, count, isOnPostgres]) => {
    await using stack = new AsyncDisposableStack();
    const postgres = isOnPostgres ? stack.use(await startPostgres({ isDurable: true })) : undefined;
    const sandbox = stack.use(await startSandbox({}));
    const directory = stack.use(temporaryFolder({ inMemory: true }));
    const random = new Random(seed, name);
    const users = quietPeople(sandbox.world, Date.now());
    await mkdir(join(directory.path, 'rules'));
    await writeFile(join(directory.path, 'rules', 'announce.yaml'), rule(users));
    const running: FanfareProcess[] = [];
    const all: FanfareProcess[] = [];
    stack.defer(async () => void (await Promise.all(running.map((one) => one[Symbol.asyncDispose]()))));

    async function start(): Promise<void> {
      const one = await launch({
        environment: {
          ...sandbox.environment,
          FANFARE_DATA: join(directory.path, postgres ? `data-${all.length}` : 'data'),
          FANFARE_RULES: join(directory.path, 'rules'),
          LOG_LEVEL: 'warn',
          ...(postgres && { DATABASE_URL: postgres.url, FANFARE_KEY: 'key-of-the-processes-in-this-test' }),
        },
      });
      running.push(one);
      all.push(one);
      await untilReady(one);
    }
    const order = (path: string, body: object) => postJson(`${sandbox.url}/control${path}`, body);
    function pick(): FanfareProcess {
      const [one] = random.shuffled(running);
      if (!one) throw new Error('no process runs');
      return one;
    }

    const faults = {
      kill: async (): Promise<void> => {
        const one = pick();
        running.splice(running.indexOf(one), 1);
        await one.kill();
        await start();
      },
      freeze: async (): Promise<void> => {
        const one = pick();
        one.signal('SIGSTOP');
        await sleep(FROZEN_MS);
        one.signal('SIGCONT');
      },
      cut: () => order('/twitch/eventsub', { do: 'disconnect' }),
      silence: () => order('/faults', { platform: 'twitch', kind: 'silentSocket', times: 1 }),
      lose: () => order('/faults', { platform: 'twitch', kind: 'resetBefore', route: '/helix/streams', times: 2 }),
    };

    for (let worker = 0; worker < count; worker++) await start();
    await eventually('the subscriptions', async () => {
      const { subscriptions } = EventSub.parse(await getJson(`${sandbox.url}/control/twitch/eventsub`));
      return subscriptions.enabled >= STREAMERS * 2;
    });
    // Each kind twice in a random order, but not all of them, and at least one kill and one freeze.
    const kinds = random.shuffled([...Object.values(faults), ...Object.values(faults)]).slice(0, 7);
    for (const [index, fault] of [...kinds, faults.kill, faults.freeze].entries()) {
      await Promise.all([
        fault(),
        (async () => {
          await sleep(random.between(0, 1_500));
          await order('/world', { do: 'goLive', user: users[index] });
        })(),
      ]);
    }

    const begun = users.slice(0, kinds.length + 2).toSorted((a, b) => a.localeCompare(b));
    const posts = async () => Posts.parse(await getJson(`${sandbox.url}/control/posts`)).items.map(({ text }) => text.split(' ')[0] ?? '');
    const messages = async () =>
      Messages.parse(await getJson(`${sandbox.url}/control/messages?limit=500`)).items.map(({ content }) => content.split(' ')[0] ?? '');
    await eventually(
      'all announcements',
      async () => (await posts()).length >= begun.length && (await messages()).length >= begun.length,
      WITHIN_MS,
    ).catch(async (error: unknown) => {
      throw new Error(`${JSON.stringify(await messages())}\n${all.map((one) => one.output()).join('\n')}`, { cause: error });
    });
    // A repeated hint must announce nothing again.
    await sleep(12_000);
    expect((await posts()).toSorted((a, b) => a.localeCompare(b))).toEqual(begun);
    expect((await messages()).toSorted((a, b) => a.localeCompare(b))).toEqual(begun);
  },
);
