import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import type { World } from '#sandbox/world/world.ts';
import { en } from '#src/discord/language/en/index.ts';
import { eventually, freePort, getJson, launch, postJson, untilReady, type FanfareProcess } from '../support/fanfare-process.ts';
import { patientPlatforms } from '../support/patient-platforms.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const QUIET_FOR_MS = 600_000;
/** How long a request is on its way when its process dies. */
const ON_ITS_WAY_MS = 2_000;
const NEW_TITLE = 'Another title';

const People = z.object({ members: z.array(z.object({ username: z.string(), bot: z.boolean() })) });
const Roles = z.array(z.object({ id: z.string(), name: z.string() }));
const Members = z.array(z.object({ roles: z.array(z.string()) }));
const Messages = z.object({ items: z.array(z.object({ id: z.string(), content: z.string() })) });
const Requests = z.object({ items: z.array(z.object({ method: z.string(), route: z.string(), count: z.int() })) });
const Interaction = z.object({ message: z.object({ content: z.string() }).optional() });

const rule = (user: string): string => `
id: buttons
when:
  every: 5s
  watch: streaming.getStreams
  with: { users: [${user}] }
  changes: [entered, { changed: [title] }]
then:
  - do: discord.send
    with:
      channel: live
      content: "\${{ item.title }}"
      buttons: [{ label: Ping me, role: Live }, { label: Mute, mute: item, allow: [Moderator] }]
`;

/** A streamer who is not live and has no scheduled stream for a while. */
function quietPerson(world: World, nowMs: number): string {
  const busy = new Set(world.eventsBetween(nowMs, nowMs + QUIET_FOR_MS).map(({ person }) => person.id));
  for (const { person } of world.liveAt(nowMs)) busy.add(person.id);
  return world.people.find(({ id, handle }) => !busy.has(id) && /^[a-z]/.test(handle))?.handle ?? '';
}

interface Fixture extends AsyncDisposable {
  readonly people: readonly string[];
  /** Presses a button, and returns the private answer. */
  press(label: string, user: string): Promise<string>;
  /** Presses a button, and kills the process while its request to the route is on its way. The request arrives. Then starts the process again. */
  pressAndKill(label: string, user: string, request: { readonly method: string; readonly route: string }): Promise<void>;
  hasRole(user: string): Promise<boolean>;
  /** How often roles were added and removed. */
  roleChanges(): Promise<number>;
  changeTitle(): Promise<void>;
  messages(): Promise<readonly string[]>;
  /** Resolves when the decisions contain the text. */
  decided(text: string): Promise<void>;
}

async function open(): Promise<Fixture> {
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.use(await startSandbox({ platforms: patientPlatforms() }));
  const folder = stack.use(temporaryFolder({ inMemory: true }));
  const streamer = quietPerson(sandbox.world, Date.now());
  await mkdir(join(folder.path, 'rules'));
  await writeFile(join(folder.path, 'rules', 'buttons.yaml'), rule(streamer));
  const port = await freePort();
  const environment = { ...sandbox.environment, FANFARE_DATA: join(folder.path, 'data'), FANFARE_RULES: join(folder.path, 'rules') };

  async function start(): Promise<FanfareProcess> {
    const started = await launch({ environment, port });
    await untilReady(started);
    await eventually('Discord is connected', async () => started.output().includes('Discord is connected'));
    return started;
  }

  const order = (path: string, body: object) => postJson(`${sandbox.url}/control${path}`, body);

  /** Asks Discord as the bot does. */
  function ofServer(path: string): Promise<unknown> {
    const { DISCORD_API_URL: api = '', DISCORD_GUILD_ID: guild = '', DISCORD_TOKEN: token = '' } = sandbox.environment;
    return getJson(`${api}/v10/guilds/${guild}${path}`, { authorization: `Bot ${token}` });
  }

  const messages = async () => Messages.parse(await getJson(`${sandbox.url}/control/messages?channel=live`)).items;
  const decisions = async () => JSON.stringify(await getJson(`http://127.0.0.1:${port}/api/decisions`));

  let fanfare = await start();
  stack.defer(() => fanfare[Symbol.asyncDispose]());
  await eventually('the first poll', async () => (await decisions()).includes('buttons'));
  await order('/world', { do: 'goLive', user: streamer });
  const message = await eventually('the message', async () => (await messages())[0]?.id);
  const { members } = People.parse(await getJson(`${sandbox.url}/control/discord`));
  const people = members.filter(({ bot }) => !bot).map(({ username }) => username);

  // A message whose button acted can have none.
  const press = async (click: string, user: string, waitMs = 60_000): Promise<string> =>
    Interaction.parse(await order('/discord/interactions', { user, message, click, waitMs }).catch(() => ({}))).message?.content ?? '';
  const resources = stack.move();
  return {
    people,
    press: (label, user) => press(label, user),

    async pressAndKill(label, user, delayed) {
      sandbox.faults.add({ platform: 'discord', kind: 'delay', ms: ON_ITS_WAY_MS, times: 1, ...delayed });
      const pressed = press(label, user, 0);
      await eventually('the request is on its way', async () => sandbox.faults.all().length === 0);
      await fanfare.kill();
      await pressed;
      fanfare = await start();
    },

    async hasRole(user) {
      const live = Roles.parse(await ofServer('/roles')).find(({ name }) => name === 'Live')?.id ?? '';
      return Members.parse(await ofServer(`/members/search?query=${user}`)).some(({ roles }) => roles.includes(live));
    },

    async roleChanges() {
      const { items } = Requests.parse(await getJson(`${sandbox.url}/control/requests?platform=discord`));
      const changes = items.filter(({ method, route }) => method !== 'GET' && route.includes('/roles/'));
      return changes.reduce((sum, { count }) => sum + count, 0);
    },

    changeTitle: async () => void (await order('/world', { do: 'changeTitle', user: streamer, title: NEW_TITLE })),
    messages: async () => (await messages()).map(({ content }) => content),
    decided: async (text) => void (await eventually(`a decision with ${text}`, async () => (await decisions()).includes(text))),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

const CALLBACK = { method: 'POST', route: '/callback' };
const CHANGE = { method: 'PUT', route: '/roles/' };
const ANSWER = { method: 'PATCH', route: '/webhooks/' };

test('a button that gives a role acts once per press, even if the process is killed before the answer', async () => {
  await using fixture = await open();
  const [, , user = ''] = fixture.people;

  // Without the change, the next press gives the role.
  await fixture.pressAndKill('Ping me', user, CALLBACK);
  expect([await fixture.hasRole(user), await fixture.roleChanges()]).toEqual([false, 0]);
  expect(await fixture.press('Ping me', user)).toBe(en.ruleButtons.given('Live'));
  expect(await fixture.press('Ping me', user)).toBe(en.ruleButtons.taken('Live'));
  expect([await fixture.hasRole(user), await fixture.roleChanges()]).toEqual([false, 2]);

  // The change arrived, so the next press takes the role.
  await fixture.pressAndKill('Ping me', user, CHANGE);
  await eventually('the role', () => fixture.hasRole(user));
  expect(await fixture.press('Ping me', user)).toBe(en.ruleButtons.taken('Live'));
  expect([await fixture.hasRole(user), await fixture.roleChanges()]).toEqual([false, 4]);

  await fixture.pressAndKill('Ping me', user, ANSWER);
  expect([await fixture.hasRole(user), await fixture.roleChanges()]).toEqual([true, 5]);
  expect(await fixture.press('Ping me', user)).toBe(en.ruleButtons.taken('Live'));
  expect([await fixture.hasRole(user), await fixture.roleChanges()]).toEqual([false, 6]);
});

test.for([
  ['the acknowledgement', CALLBACK, en.ruleButtons.muted],
  ['the answer', ANSWER, en.ruleButtons.alreadyMuted],
] as const)('a button that mutes does it once, though the process is killed during %s', async ([, killed, answer]) => {
  await using fixture = await open();
  const [user = ''] = fixture.people;
  const [title = ''] = await fixture.messages();

  await fixture.pressAndKill('Mute', user, killed);
  const answers = [await fixture.press('Mute', user), await fixture.press('Mute', user)];
  const [, name = ''] = /^\*\*(.*)\*\*/u.exec(answers[0] ?? '') ?? [];
  await fixture.changeTitle();
  await fixture.decided('"muted"');

  expect(answers).toEqual([answer(name), en.ruleButtons.alreadyMuted(name)]);
  expect((await fixture.messages()).filter((text) => text === title || text === NEW_TITLE)).toEqual([title]);
});
