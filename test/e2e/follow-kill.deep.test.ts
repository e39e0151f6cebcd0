import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import type { FaultOrder } from '#sandbox/faults.ts';
import type { World } from '#sandbox/world/world.ts';
import { en } from '#src/discord/language/en/index.ts';
import { FOLLOWED_RULE } from '#src/engine/rule-sets/shipped-rules.ts';
import { eventually, getJson, launch, postJson, untilReady, type FanfareProcess } from '../support/fanfare-process.ts';
import { patientPlatforms } from '../support/patient-platforms.ts';
import { startPostgres } from '../support/postgres.ts';
import { chosen } from '../support/property.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const QUIET_FOR_MS = 900_000;
/** How long a member waits for the result. */
const WAIT_MS = 60_000;
/** How long a request is on its way when its process dies. */
const ON_ITS_WAY_MS = 2_000;
const NEW_TITLE = 'Another title';

const People = z.object({ connections: z.int(), members: z.array(z.object({ username: z.string(), bot: z.boolean() })) });
/** Before the first change, there is no list. */
const Entries = z.object({ entries: z.array(z.object({ id: z.string() })).default([]) });
const Changes = z.object({ items: z.array(z.object({ id: z.string(), undoes: z.string().optional() })) });
const Messages = z.object({
  items: z.array(z.object({ ephemeral: z.boolean(), embeds: z.array(z.object({ title: z.string().optional() })) })),
});
const Requests = z.object({
  items: z.array(z.object({ method: z.string(), latest: z.array(z.object({ at: z.iso.datetime(), path: z.string() })) })),
});
const Interaction = z.object({ message: z.object({ id: z.string() }).optional() });

/** Streamers who are not live and have no scheduled stream for a while. */
function quietPeople(world: World, nowMs: number): readonly string[] {
  const busy = new Set(world.eventsBetween(nowMs, nowMs + QUIET_FOR_MS).map(({ person }) => person.id));
  for (const { person } of world.liveAt(nowMs)) busy.add(person.id);
  return world.people.flatMap(({ id, handle }) => (!busy.has(id) && /^[a-z]\w+$/u.test(handle) ? [handle] : []));
}

type Delayed = Pick<FaultOrder, 'method' | 'route'> & { readonly platform: string };

interface Fixture extends AsyncDisposable {
  readonly streamers: readonly string[];
  /** `/follow add`; the id of the answer. Waits no longer than `waitMs` for the result. */
  add(streamer: string, waitMs?: number): Promise<string | undefined>;
  undo(message: string, waitMs?: number): Promise<unknown>;
  /** Acts, and kills processes while a request is on its way. The request arrives. Then starts as many processes again. */
  killDuring(delayed: Delayed, which: 'connected' | 'all', act: () => Promise<unknown>): Promise<void>;
  /** The ids of the followed streamers. */
  followed(): Promise<readonly string[]>;
  /** The number of changes of the list, and of those that undo others. */
  changes(): Promise<readonly [all: number, undone: number]>;
  order(body: object): Promise<unknown>;
  /** The titles of the cards. */
  cards(): Promise<readonly (string | undefined)[]>;
}

/** Fanfare in so many processes, one of which is connected to Discord. */
async function open({
  processes,
  databaseUrl,
}: {
  readonly processes: number;
  readonly databaseUrl: string | undefined;
}): Promise<Fixture> {
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.use(await startSandbox({ platforms: patientPlatforms() }));
  const folder = stack.use(temporaryFolder({ inMemory: true }));
  await mkdir(join(folder.path, 'rules'));
  // The rule of the program, only with more polls.
  await writeFile(join(folder.path, 'rules', 'followed.yaml'), FOLLOWED_RULE.source.replace('every: 1m', 'every: 5s'));
  const streamers = quietPeople(sandbox.world, Date.now());
  const guild = sandbox.environment['DISCORD_GUILD_ID'] ?? '';
  const running: FanfareProcess[] = [];
  stack.defer(async () => void (await Promise.all(running.map((one) => one[Symbol.asyncDispose]()))));
  let started = 0;

  async function start(): Promise<void> {
    const environment = {
      ...sandbox.environment,
      FANFARE_DATA: join(folder.path, databaseUrl === undefined ? 'data' : `data-${started++}`),
      FANFARE_RULES: join(folder.path, 'rules'),
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, FANFARE_KEY: 'key-of-two-processes-in-this-test' }),
    };
    const one = await launch({ environment });
    running.push(one);
    await untilReady(one);
  }

  const order = (path: string, body: object) => postJson(`${sandbox.url}/control${path}`, body);

  const discord = async () => People.parse(await getJson(`${sandbox.url}/control/discord`));
  /** Only the process with the shard logs that. Another one has it after the end of this process only. */
  const isHolder = ({ output }: FanfareProcess): boolean => output().includes('Discord is connected');
  const isConnected = () => eventually('Discord is connected', async () => running.some(isHolder) && (await discord()).connections === 1);
  const api = (path: string) => getJson(`${running.at(-1)?.url}/api${path}`);

  /** Waits until a request that began between two instants has arrived. Otherwise, it could arrive after a later edit, and undo it. */
  async function untilArrived({ platform, method, route = '' }: Delayed, [fromMs, toMs]: readonly [number, number]): Promise<void> {
    await eventually(`${route} has arrived`, async () => {
      const { items } = Requests.parse(await getJson(`${sandbox.url}/control/requests?platform=${platform}`));
      const latest = items.flatMap((one) => (method === undefined || one.method === method ? one.latest : []));
      return latest.some(({ at, path }) => path.includes(route) && Date.parse(at) >= fromMs && Date.parse(at) <= toMs);
    });
  }

  for (let count = 0; count < processes; count++) {
    await start();
    await isConnected();
  }
  const [user = ''] = (await discord()).members.filter(({ bot }) => !bot).map(({ username }) => username);
  // A message whose button acted can have none.
  const interact = async (body: object) => Interaction.parse(await order('/discord/interactions', { user, ...body }).catch(() => ({})));
  const resources = stack.move();
  return {
    streamers,

    async add(streamer, waitMs = WAIT_MS) {
      const options = { streamer: `twitch.tv/${streamer}`, channel: 'live' };
      return (await interact({ channel: 'general', command: 'follow add', options, waitMs })).message?.id;
    },

    undo: (message, waitMs = WAIT_MS) => interact({ message, click: en.following.buttons.undo, waitMs }),

    async killDuring(delayed, which, act) {
      const addedMs = sandbox.clock.nowMs();
      sandbox.faults.add({ kind: 'delay', ms: ON_ITS_WAY_MS, times: 1, ...delayed });
      const acted = act();
      await eventually('the request is on its way', async () => sandbox.faults.all().length === 0);
      const begunMs = sandbox.clock.nowMs();
      const killed = running.filter((one) => which === 'all' || isHolder(one));
      for (const one of killed) running.splice(running.indexOf(one), 1);
      await Promise.all(killed.map((one) => one.kill()));
      await acted;
      for (const _ of killed) await start();
      await isConnected();
      await untilArrived(delayed, [addedMs, begunMs]);
    },

    followed: async () => Entries.parse(await api(`/lists/followed?server=${guild}`)).entries.map(({ id }) => id),

    async changes() {
      const { items } = Changes.parse(await api(`/list-changes?list=followed&server=${guild}`));
      return [items.length, items.filter(({ undoes }) => undoes !== undefined).length];
    },

    order: (body) => order('/world', body),

    async cards() {
      const { items } = Messages.parse(await getJson(`${sandbox.url}/control/messages?channel=live`));
      return items.filter(({ ephemeral }) => !ephemeral).map(({ embeds }) => embeds[0]?.title);
    },

    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

const LOOK_UP = { platform: 'twitch', route: '/users' };
const ANSWER = { platform: 'discord', method: 'POST', route: '/callback' } as const;
const CARD = { platform: 'discord', method: 'POST', route: '/messages' } as const;
const EDIT = { platform: 'discord', method: 'PATCH', route: '/messages/' } as const;

test.for([chosen(['in a file, with one process', 'on PostgreSQL, with two processes'], 0)])(
  'kills during /follow add, an undo, a card and its edit lose nothing and repeat nothing: the state is %s',
  async (state) => {
    await using postgres = state.includes('PostgreSQL') ? await startPostgres({ isDurable: true }) : undefined;
    await using fixture = await open({ processes: postgres ? 2 : 1, databaseUrl: postgres?.url });
    const [first = '', second = ''] = fixture.streamers;

    // Nothing is stored before the platform answered, so the member adds the streamer again.
    await fixture.killDuring(LOOK_UP, 'connected', () => fixture.add(first, 0));
    expect([await fixture.followed(), await fixture.changes()]).toEqual([[], [0, 0]]);
    const added = await fixture.add(first);
    expect([await fixture.followed(), await fixture.changes()]).toEqual([[first], [1, 0]]);

    // Whether the change was stored or not, the second attempt stores it once.
    await fixture.killDuring(ANSWER, 'connected', () => fixture.add(second, 0));
    expect((await fixture.followed()).length).toBe((await fixture.changes())[0]);
    await fixture.add(second);
    expect([(await fixture.followed()).toSorted(), await fixture.changes()]).toEqual([[first, second].toSorted(), [2, 0]]);

    await fixture.killDuring(ANSWER, 'connected', () => fixture.undo(added ?? '', 0));
    await fixture.undo(added ?? '');
    expect([await fixture.followed(), await fixture.changes()]).toEqual([[second], [3, 1]]);

    await fixture.killDuring(CARD, 'all', () => fixture.order({ do: 'goLive', user: second }));
    await eventually('the card', async () => (await fixture.cards()).length > 0);
    await fixture.killDuring(EDIT, 'all', () => fixture.order({ do: 'changeTitle', user: second, title: NEW_TITLE }));
    await eventually('the edit', async () => (await fixture.cards()).includes(NEW_TITLE));
    // The streamer whose addition was undone has no card.
    await fixture.order({ do: 'goLive', user: first });
    await fixture.order({ do: 'changeTitle', user: second, title: `${NEW_TITLE} 2` });
    await eventually('the next edit', async () => (await fixture.cards()).includes(`${NEW_TITLE} 2`));
    expect(await fixture.cards()).toEqual([`${NEW_TITLE} 2`]);
  },
);
