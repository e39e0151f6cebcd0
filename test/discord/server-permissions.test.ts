import { afterAll, beforeAll, expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { BERLIN, contentsIn, FIRST, openServers, type ServersFixture } from '../acceptance/servers/fixture.ts';
import type { InteractionView } from '../support/discord-sandbox.ts';
import { getJson } from '../support/fanfare-process.ts';

/** Both fail: their channels do not exist. The rule has one delivery in each server. */
const RULE = `
id: greet
when: { every: 5s }
cooldown: 1h
then:
  - { do: discord.send, as: [discord, berlin], with: { channel: nowhere, content: Hello } }
`;

const { notAllowed, homeOnly } = en.errors;

interface Command {
  readonly name: string;
  readonly type: number;
  readonly options?: readonly Option[];
}

interface Option {
  readonly type: number;
  readonly name: string;
  readonly required?: boolean;
  readonly options?: readonly Option[];
  readonly choices?: readonly { readonly value: string }[];
}

interface Delivery {
  readonly id: string;
  readonly account: string;
  readonly state: string;
  readonly rule: string;
}

/** Commands whose answer depends on the permission in each server: those of the installation, and those of one server. */
const OF_INSTALLATION = ['automation', 'post'];
const OF_SERVER = ['deliveries', 'resolve', 'status'];
const OF_FOLLOWED = ['enable', 'disable', 'remove'].map((subcommand) => `automation ${subcommand}`);
const SUBCOMMAND = 1;

let fixture: ServersFixture;
let deliveries: readonly Delivery[];

beforeAll(async () => {
  fixture = await openServers({ rules: { 'greet.yaml': RULE } });
  deliveries = await fixture.until(async () => {
    const failed = (await stored()).filter(({ state }) => state === 'failed');
    return failed.length === 2 && failed;
  });
}, 60_000);
afterAll(() => fixture[Symbol.asyncDispose]());

async function stored(): Promise<readonly Delivery[]> {
  return (await api<{ items: readonly Delivery[] }>('/api/deliveries')).items;
}

async function api<T>(path: string): Promise<T> {
  return (await getJson(`${fixture.url}${path}`)) as T; // the API of Fanfare
}

/** Everything that an operator can change. */
async function state(): Promise<string> {
  const rules = await api<{ items: readonly { id: string; paused?: object }[] }>('/api/rules');
  const standing = (await stored()).map(({ id, state: one }) => `${id} ${one}`);
  return JSON.stringify([rules.items.map(({ id, paused }) => [id, paused]), standing]);
}

function texts(view: InteractionView): string {
  return contentsIn(view);
}

/** Each command and subcommand with minimal options. */
async function uses(): Promise<readonly { readonly command: string; readonly options: Record<string, string> }[]> {
  const { id } = await fixture.rest<{ id: string }>('/users/@me');
  const { guild } = await fixture.control<{ guild: { id: string } }>(`/discord?guild=${encodeURIComponent(FIRST)}`);
  const commands = await fixture.rest<readonly Command[]>(`/applications/${id}/guilds/${guild.id}/commands`);
  const withOptions = (command: string, options: readonly Option[] = []) => ({
    command,
    options: Object.fromEntries(
      options.flatMap(({ name, required, choices }) => (required ? [[name, choices?.[0]?.value ?? 'greet']] : [])),
    ),
  });
  return commands
    .filter(({ type }) => type === SUBCOMMAND)
    .flatMap(({ name, options = [] }) => {
      const inside = options.filter(({ type }) => type === SUBCOMMAND);
      return inside.length === 0 ? [withOptions(name, options)] : inside.map((one) => withOptions(`${name} ${one.name}`, one.options));
    })
    .filter(({ command }) => [...OF_INSTALLATION, ...OF_SERVER].includes(command.split(' ')[0] ?? ''));
}

test('commands of operators need the permission in their server, and rules and posts belong to the home server', async () => {
  const { berlinOwner, berlinModerator } = fixture.who;
  const before = await state();
  const all = await uses();
  expect(all.length).toBeGreaterThan(14);

  for (const { command, options } of all) {
    const isOfServer = OF_SERVER.includes(command.split(' ')[0] ?? '') || OF_FOLLOWED.includes(command);
    const outsider = texts(await fixture.command(FIRST, berlinOwner, command, options));
    const elsewhere = texts(await fixture.command(BERLIN, berlinModerator, command, options));
    expect([command, outsider]).toEqual([command, expect.stringContaining(notAllowed)]);
    expect([command, elsewhere.includes(homeOnly), elsewhere.includes(notAllowed)]).toEqual([command, !isOfServer, false]);
  }
  expect(await state()).toBe(before);
});

test('components of operators have no effect without the permission, or on data of another server', async () => {
  const { firstModerator, berlinOwner } = fixture.who;
  const ofHome = deliveries.find(({ account }) => account === 'discord')?.id ?? '';
  const ids = [
    ...[
      'pause:greet:card',
      'resume:greet:card',
      'run:x',
      'leave:x',
      'list:0:next',
      'show:greet',
      'why:greet',
      'preview:greet',
      'item:ada:share',
    ].map((rest) => `automation:${rest}`),
    ...[`show:${ofHome}`, `resend:${ofHome}`].map((rest) => `deliveries:${rest}`),
    ...[`show:${ofHome}`, `sent:${ofHome}`, `again:${ofHome}`].map((rest) => `resolve:${rest}`),
    'post:send:x',
  ];
  const before = await state();
  const beside = async (guild: string, user: string): Promise<string> =>
    (await fixture.command(guild, user, 'top games')).message?.id ?? '';
  const [here, there] = [await beside(FIRST, berlinOwner), await beside(BERLIN, berlinOwner)];

  for (const customId of ids) {
    const outsider = texts(await fixture.interact({ user: berlinOwner, message: here, customId, forged: true }));
    const elsewhere = texts(await fixture.interact({ user: berlinOwner, message: there, customId, forged: true }));
    const refusal = /^(deliveries|resolve)/u.test(customId) ? en.controls.errors.noDelivery : homeOnly;
    expect([customId, outsider]).toEqual([customId, expect.stringContaining(notAllowed)]);
    expect([customId, elsewhere]).toEqual([customId, expect.stringContaining(refusal)]);
  }
  expect(await state()).toBe(before);
  expect(texts(await fixture.command(FIRST, firstModerator, 'automation list'))).toContain('greet');
});

test('an administrator of another server can see and resend the deliveries of that server only', async () => {
  const { berlinOwner, firstModerator } = fixture.who;
  const ofBerlin = deliveries.find(({ account }) => account === 'berlin')?.id ?? '';
  const ofHome = deliveries.find(({ account }) => account === 'discord')?.id ?? '';
  const shown = JSON.stringify(await fixture.command(BERLIN, berlinOwner, 'deliveries'));
  const home = JSON.stringify(await fixture.command(FIRST, firstModerator, 'deliveries'));

  expect([shown.includes(ofBerlin), shown.includes(ofHome)]).toEqual([true, false]);
  expect([home.includes(ofBerlin), home.includes(ofHome)]).toEqual([true, true]);
  const card = await fixture.command(BERLIN, berlinOwner, 'deliveries');
  const again = await fixture.interact({
    user: berlinOwner,
    message: card.message?.id,
    customId: `deliveries:resend:${ofBerlin}`,
    forged: true,
  });
  expect(texts(again)).toContain('Fanfare sends it again');
});
