import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import { eventually, freePort, getJson, launch, postJson } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Decisions = z.object({ items: z.array(z.object({ rule: z.string() })) });
const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });

const rule = (users: readonly string[]): string => `
id: announce
when:
  every: 5s
  watch: streaming.getStreams
  with: { users: [${users.join(', ')}] }
then:
  - do: social.createPost
    with: { text: "\${{ item.owner.displayName }} is live: stream \${{ item.id }}" }
`;

interface Place {
  /** The data folder. */
  readonly data: string;
  /** A copy of the data folder from a time without a running process. */
  readonly cold: string;
  /** A file that `fanfare backup` wrote. */
  readonly backup: string;
  readonly run: (...args: readonly string[]) => Promise<void>;
}

test.for<readonly [what: string, end: 'stop' | 'kill', putBack: (place: Place) => Promise<void>]>([
  [
    'the data folder, with fanfare restore',
    'stop',
    async ({ data, cold, run }) => {
      await rm(data, { recursive: true });
      await cp(cold, data, { recursive: true });
      await run('restore');
    },
  ],
  [
    'a backup in the place of the state',
    'stop',
    async ({ data, backup }) => {
      for (const part of ['', '-wal', '-shm', '-generation']) await rm(join(data, `fanfare.sqlite${part}`), { force: true });
      await cp(backup, join(data, 'fanfare.sqlite'));
    },
  ],
  [
    'an older copy of the state alone',
    'kill',
    async ({ data, cold }) => {
      for (const part of ['-wal', '-shm']) await rm(join(data, `fanfare.sqlite${part}`), { force: true });
      await cp(join(cold, 'fanfare.sqlite'), join(data, 'fanfare.sqlite'));
    },
  ],
])('%s is put back, and each stream is announced once', async ([, end, putBack]) => {
  await using sandbox = await startSandbox({});
  using directory = temporaryFolder({ inMemory: true });
  const nowMs = Date.now();
  const busy = new Set(sandbox.world.eventsBetween(nowMs, nowMs + 600_000).map(({ person }) => person.id));
  for (const { person } of sandbox.world.liveAt(nowMs)) busy.add(person.id);
  const users = sandbox.world.people.filter(({ id, handle }) => !busy.has(id) && /^[a-z]/u.test(handle)).map(({ handle }) => handle);
  const port = await freePort();
  const [data, rules] = [join(directory.path, 'data'), join(directory.path, 'rules')];
  const environment = { ...sandbox.environment, FANFARE_DATA: data, FANFARE_RULES: rules, LOG_LEVEL: 'warn' };
  await mkdir(rules);
  await writeFile(join(rules, 'announce.yaml'), rule(users.slice(0, 4)));
  const run = async (...args: readonly string[]): Promise<void> => {
    const command = await launch({ args, environment, port });
    expect(await command.exit, command.output()).toBe(0);
  };
  const announced = async () => {
    const { items } = Posts.parse(await getJson(`${sandbox.url}/control/posts`));
    return items.map(({ text }) => text).filter((text) => text.includes('is live: stream'));
  };
  const start = async () => {
    const fanfare = await launch({ environment, port });
    await eventually('the rule ran', async () =>
      Decisions.parse(await getJson(`${fanfare.url}/api/decisions`)).items.some((decision) => decision.rule === 'announce'),
    );
    return fanfare;
  };
  let begun = 0;
  const goLive = async (): Promise<void> => {
    await postJson(`${sandbox.url}/control/world`, { do: 'goLive', user: users[begun] });
    begun += 1;
    await eventually('the stream is announced', async () => (await announced()).length >= begun);
  };
  const place = { data, cold: join(directory.path, 'cold'), backup: join(directory.path, 'backup.sqlite'), run };

  await (await start())[Symbol.asyncDispose]();
  await cp(data, place.cold, { recursive: true });
  await run('backup', place.backup);
  const second = await start();
  await goLive();
  await goLive();
  await (end === 'kill' ? second.kill() : second[Symbol.asyncDispose]());
  await putBack(place);
  const third = await start();
  await goLive();
  await third[Symbol.asyncDispose]();

  const texts = await announced();
  expect(texts.toSorted()).toEqual([...new Set(texts)].toSorted());
  expect(texts).toHaveLength(begun);
  expect(third.output().split('the state was restored from a copy')).toHaveLength(2);
});
