import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { discord } from '#adapters/discord/index.ts';
import { twitch } from '#adapters/twitch/index.ts';
import { teamMembers } from '#sandbox/twitch/helix/teams.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import { startSandbox } from '#sandbox/server.ts';
import { createListSource } from '#src/admin/lists/list-source.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { createClients } from '#src/clients/clients.ts';
import { followSources } from '#src/engine/lists/follow-sources.ts';
import { openListFolder } from '#src/engine/lists/list-folder.ts';
import { withSources } from '#src/engine/lists/list-sources.ts';
import { pollPlatform } from '#src/engine/planner/poll-platform.ts';
import type { PollResult } from '#src/engine/planner/query.ts';
import { PlatformError } from '#src/errors.ts';
import { createLog } from '#src/log.ts';
import type { PeopleSource } from '#src/rules/lists.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { NO_LIMITS } from '../../adapters/discord/open-chat.ts';
import { startDiscordSandbox } from '../../support/discord-sandbox.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { accounts } from '../../support/rule-language.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { PeopleStage } from '../../rules/people/people-stage.ts';

const NIGHT = 'source: { watch: streaming.getTeamMembers, account: twitch, with: { team: nightshift } }\n';
const MINUTE_MS = 60_000;

const whole = (...handles: readonly string[]): PollResult => ({
  items: handles.map((handle) => ({ id: `id-${handle}`, handle })),
  approximate: false,
  partialErrors: [],
});

type Answer = PollResult | Error;

async function open(text: string, { store: existing, clock = new ManualClock() }: { store?: Store; clock?: ManualClock } = {}) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const path = join(folder.path, 'lists');
  mkdirSync(path);
  const write = (source: string, name = 'team'): void => writeFileSync(join(path, `${name}.yaml`), source);
  write(text);
  const store = existing ?? (await openStore({ clock }));
  if (!existing) onTestFinished(() => store[Symbol.asyncDispose]());
  const filesOnly = openListFolder(path, { catalogue, accounts });
  const lists = withSources(filesOnly, store.listSources);
  const reads: PeopleSource[] = [];
  const lines: string[] = [];
  let answer: Answer = whole();
  const read = (source: PeopleSource): Promise<PollResult> => {
    reads.push(source);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };

  /** A process that reads the sources from now on. */
  function start(by: typeof read = read): AsyncDisposable {
    const stop = new AbortController();
    const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });
    const done = followSources({ folder: filesOnly, store: store.listSources, read: by, clock, log, signal: stop.signal });
    return {
      async [Symbol.asyncDispose]() {
        stop.abort();
        await done;
      },
    };
  }

  async function team() {
    const found = (await lists.read()).lists.get('team');
    return { entries: (found?.entries ?? []).map(({ id, fields }) => [id, fields] as const), problem: found?.source?.problem };
  }

  return { write, store, clock, lists, reads, lines, start, team, answerWith: (next: Answer) => void (answer = next) };
}

/** Waits until the reads that are due at this instant have ended. */
async function settled(clock: ManualClock, isDone: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 50 && !(await isDone()); round++) await clock.advance(2_000);
}

const idsAre =
  ({ team }: Pick<Awaited<ReturnType<typeof open>>, 'team'>, ...ids: readonly string[]) =>
  async (): Promise<boolean> =>
    (await team()).entries.map(([id]) => id).join() === ids.join();

test('the people of a source are entries, and the file adds fields and entries', async () => {
  const here = await open(`${NIGHT}entries: { ada: { channel: "#chess" }, zoe: { twitch: zoe_z } }\n`);
  here.answerWith(whole('grace', 'ada', 'ada'));
  await using _process = here.start();

  await settled(here.clock, idsAre(here, 'ada', 'grace', 'zoe'));

  expect((await here.team()).entries).toEqual([
    ['ada', { twitch: 'ada', channel: '#chess' }],
    ['grace', { twitch: 'grace' }],
    ['zoe', { twitch: 'zoe_z' }],
  ]);
  expect((await here.lists.read()).lists.get('team')?.entries?.map(({ isFromSource }) => isFromSource)).toEqual([true, true, undefined]);
  expect(here.reads).toEqual([{ verb: 'streaming.getTeamMembers', account: 'twitch', platform: 'twitch', params: { team: 'nightshift' } }]);
  const before = await here.lists.read();
  expect(await here.lists.read()).toBe(before);
});

test('the file changes the people of a source whatever the capitals of their ids: otherwise, two entries would name one channel', async () => {
  const here = await open(`${NIGHT}entries: { Ada: { twitch: "" }, "@grace": { channel: "#chess" }, Linus: { twitch: Linus } }\n`);
  here.answerWith(whole('ada', 'grace'));
  await using _process = here.start();

  await settled(here.clock, idsAre(here, 'Linus', 'ada', 'grace'));

  expect((await here.team()).entries).toEqual([
    ['Linus', { twitch: 'Linus' }],
    ['ada', { twitch: '' }],
    ['grace', { twitch: 'grace', channel: '#chess' }],
  ]);
});

test('a source is read every 15 minutes: new people come, others go', async () => {
  const here = await open(NIGHT);
  here.answerWith(whole('ada', 'grace'));
  await using _process = here.start();
  await settled(here.clock, idsAre(here, 'ada', 'grace'));
  here.answerWith(whole('grace', 'linus'));

  await here.clock.advance(14 * MINUTE_MS);
  expect(here.reads).toHaveLength(1);
  await here.clock.advance(MINUTE_MS);
  await settled(here.clock, idsAre(here, 'grace', 'linus'));

  expect((await here.team()).entries.map(([id]) => id)).toEqual(['grace', 'linus']);
  expect(here.reads).toHaveLength(2);
});

test.for<readonly [string, Answer, string]>([
  ['failed', new PlatformError('twitch has no team "nightshift"', { platform: 'twitch', fault: 'missing' }), 'twitch has no team'],
  ['partial', { ...whole('ada'), partialErrors: [{ message: 'row 2 is unreadable', values: ['7'] }] }, 'row 2 is unreadable'],
  ['approximate', { ...whole('ada'), approximate: true }, 'only a part'],
  ['cut off', { ...whole('ada'), more: true }, 'only a part'],
  ['nameless', { ...whole(), items: [{ id: '7' }] }, 'no name'],
  ['too long', whole(...Array.from({ length: 1_001 }, (_, index) => `user${index}`)), 'has 1001 people'],
])('a %s read keeps the last people, even after a restart', async ([, bad, problem]) => {
  const here = await open(NIGHT);
  here.answerWith(whole('ada', 'grace'));
  {
    await using _process = here.start();
    await settled(here.clock, idsAre(here, 'ada', 'grace'));
    here.answerWith(bad);
    await here.clock.advance(15 * MINUTE_MS);
    await settled(here.clock, async () => (await here.team()).problem !== undefined);
  }
  expect(here.reads).toHaveLength(2);
  const [line, ...others] = here.lines.filter((one) => one.includes('keeps its last people'));
  expect([line?.includes(problem), others]).toEqual([true, []]);

  const again = await open(NIGHT, { store: here.store, clock: here.clock });
  again.answerWith(bad);
  await using _restarted = again.start();
  await again.clock.advance(2_000);
  expect(again.reads).toHaveLength(0);
  const { entries, problem: shown } = await again.team();
  expect(entries.map(([id]) => id)).toEqual(['ada', 'grace']);
  expect(shown).toContain(problem);

  again.answerWith(whole('linus'));
  await again.clock.advance(5 * MINUTE_MS);
  await settled(again.clock, idsAre(again, 'linus'));
  expect(await again.team()).toMatchObject({ entries: [['linus', { twitch: 'linus' }]], problem: undefined });
});

test('new people are not announced, and the episodes of removed people end without an announcement', async () => {
  const here = await open(NIGHT);
  here.answerWith(whole('ada'));
  await using _process = here.start();
  await settled(here.clock, idsAre(here, 'ada'));
  const stage = new PeopleStage();
  const poll = async () => {
    stage.entries = (await here.lists.read()).lists.get('team')?.entries ?? [];
    return (await stage.poll()).lines;
  };
  expect(await poll()).toEqual([]);
  stage.live = { twitch: { ada: 1, grace: 1 } };
  expect(await poll()).toEqual(['then ada twitch']);

  here.answerWith(whole('grace'));
  await here.clock.advance(15 * MINUTE_MS);
  await settled(here.clock, idsAre(here, 'grace'));

  expect([await poll(), await poll()].flat()).toEqual(['finally ada twitch without announcements']);
});

test('an edit of the source ends no episode before the new source is read, and announces nothing again', async () => {
  const here = await open(NIGHT);
  here.answerWith(whole('ada'));
  await using _process = here.start();
  await settled(here.clock, idsAre(here, 'ada'));
  const rules = createListSource({ folder: here.lists, store: here.store.lists });
  const stage = new PeopleStage();
  const poll = async () => {
    const lists = await rules.current();
    stage.entries = lists.problemOf?.('team') === undefined ? lists.entries('team') : undefined;
    return (await stage.poll()).lines;
  };
  expect(await poll()).toEqual([]);
  stage.live = { twitch: { ada: 1 } };
  expect(await poll()).toEqual(['then ada twitch']);

  here.answerWith(new PlatformError('twitch has no team "dayshift"', { platform: 'twitch', fault: 'missing' }));
  here.write(NIGHT.replace('nightshift', 'dayshift'));
  const unread = await poll();
  await settled(here.clock, async () => (await here.team()).problem !== undefined);
  const failed = await poll();
  here.answerWith(whole('ada', 'grace'));
  await here.clock.advance(5 * MINUTE_MS);
  await settled(here.clock, idsAre(here, 'ada', 'grace'));

  expect([unread, failed, await poll(), await poll()]).toEqual([[], [], ['while ada twitch'], ['while ada twitch']]);
  expect([...stage.state.episodes.values()].map(({ phase, closes }) => [phase, closes])).toEqual([['open', 0]]);
  expect(here.lines.filter((line) => line.includes('rules that read the list wait'))).toHaveLength(1);
});

test('several processes and lists with one source share one read', async () => {
  const here = await open(NIGHT);
  here.write(NIGHT, 'crew');
  here.answerWith(whole('ada'));
  await using _one = here.start();
  await using _other = here.start();

  await settled(here.clock, idsAre(here, 'ada'));
  await here.clock.advance(10_000);

  expect(here.reads).toHaveLength(1);
  expect((await here.lists.read()).lists.get('crew')?.entries).toHaveLength(1);
});

test('without a source, nothing is read', async () => {
  const here = await open('ada: {}\nsource: { twitch: source_tv }\n');
  await using _process = here.start();

  await here.clock.advance(60 * MINUTE_MS);

  expect(here.reads).toEqual([]);
  expect((await here.team()).entries.map(([id]) => id)).toEqual(['ada', 'source']);
});

test('a file with errors keeps its people', async () => {
  const here = await open(NIGHT);
  here.answerWith(whole('ada'));
  await using _process = here.start();
  await settled(here.clock, idsAre(here, 'ada'));

  here.write('source: { watch: streaming.getTeamMember }\n');

  expect((await here.team()).entries).toEqual([['ada', { twitch: 'ada' }]]);
});

test('the Twitch team of the sandbox', async () => {
  const clock = new ManualClock();
  await using sandbox = await startSandbox({ clock, platforms: [twitchServer] });
  const { TWITCH_CLIENT_ID: clientId = '', TWITCH_CLIENT_SECRET: clientSecret = '', ...urls } = sandbox.environment;
  await using platform = twitch({ clientId, clientSecret, apiUrl: urls.TWITCH_API_URL, authUrl: urls.TWITCH_AUTH_URL, clock });
  const clients = createClients({ streaming: [platform], social: [], discord: [] }, clock);
  const here = await open(NIGHT, { clock });
  const handles = teamMembers(sandbox.world)
    .map(({ handle }) => handle)
    .toSorted();
  const ended: unknown[] = [];
  await using _process = here.start(({ verb, account, params }: PeopleSource) =>
    pollPlatform(clients, { verb, account, params: { ...params, pages: 'all' } }, {}).finally(() => ended.push(verb)),
  );
  await expect.poll(async () => (await here.team()).entries.map(([id]) => id)).toEqual(handles);

  sandbox.faults.add({ platform: 'twitch', route: '/helix/users', kind: 'status', status: 403 });
  await clock.advance(15 * MINUTE_MS);
  await expect.poll(async () => (await here.team()).problem).toBeDefined();

  expect((await here.team()).entries.map(([id]) => id)).toEqual(handles);
  expect(ended).toHaveLength(2);
});

test('the members with a Discord role are the people of a list; a failed and a partial read change nothing', async () => {
  const clock = new ManualClock();
  await using running = await startDiscordSandbox({ clock, limits: NO_LIMITS });
  const { token, guildId, sandbox, people } = running;
  const platform = discord({ token, guildId, apiUrl: sandbox.environment['DISCORD_API_URL'], clock });
  const clients = createClients({ streaming: [], social: [], discord: [platform] }, clock);
  const chat = clients.discord.get('discord');
  const [owner, moderator, member] = people;
  const here = await open(
    `source: { watch: discord.getMembers, account: discord, with: { role: Live } }\nentries: { ${owner}: { twitch: ada } }\n`,
    { clock },
  );
  let isPartial = false;
  await using _process = here.start(async ({ verb, account, params }: PeopleSource) => {
    const read = await pollPlatform(clients, { verb, account, params: { ...params, pages: 'all' } }, {});
    return isPartial ? { ...read, items: [], partialErrors: [{ message: 'a page', values: [] }] } : read;
  });
  const idsNow = async () => (await here.team()).entries.map(([id]) => id);
  /** Reads the source again once its time has come. */
  const readAgain = () => clock.advance(15 * MINUTE_MS);

  await chat?.addRole(owner, 'Live');
  await chat?.addRole(moderator, 'Live');
  await readAgain();
  await expect.poll(idsNow).toEqual([owner, moderator].toSorted());
  expect((await here.team()).entries.find(([id]) => id === owner)?.[1]).toEqual({ discord: owner, twitch: 'ada' });

  await running.order('/discord/gateway', { do: 'disallow', intents: ['GuildMembers'] });
  await readAgain();
  await expect.poll(async () => (await here.team()).problem).toContain('Server Members Intent');
  expect(await idsNow()).toEqual([owner, moderator].toSorted());

  await running.order('/discord/gateway', { do: 'disallow', intents: [] });
  isPartial = true;
  await readAgain();
  await expect.poll(async () => (await here.team()).problem).toContain('a part could not be read');
  expect(await idsNow()).toEqual([owner, moderator].toSorted());

  isPartial = false;
  await chat?.removeRole(moderator, 'Live');
  await chat?.addRole(member, 'Live');
  await readAgain();
  await expect.poll(idsNow).toEqual([owner, member].toSorted());
  expect((await here.team()).problem).toBeUndefined();
});
