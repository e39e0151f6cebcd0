import { DiscordAPIError, type APIGuild, type ChatInputCommandInteraction, type ModalBuilder } from 'discord.js';
import { expect, test } from 'vitest';
import { systemClock } from '#src/clock.ts';
import { pingWarning } from '#src/discord/following/channel-warning.ts';
import { showEditForm } from '#src/discord/following/show-edit-form.ts';
import { en } from '#src/discord/language/en/index.ts';
import { readServerState } from '#src/discord/servers/server-state.ts';
import { rolesPage, setupPage } from '#src/discord/servers/setup-page.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { ListEntry } from '#src/rules/lists.ts';

const [SERVER, BOT] = ['1202584131993600001', '44'];
const [ROLE, GONE_ROLE] = ['1202584131993600002', '1202584131993600009'];
const [CHANNEL, GONE_CHANNEL, HIDDEN_CHANNEL] = ['1202584131993600010', '1202584131993600019', '1202584131993600018'];
const READER = { texts: en, locale: 'en-US' };

const refusal = (code: number, status: number): DiscordAPIError =>
  new DiscordAPIError({ code, message: 'No' }, code, status, 'GET', 'https://discord.com/api/v10/channels/1', {});

const roles = [SERVER, ROLE].map((id) => ({ id, name: id, position: 0, permissions: '0', managed: false, mentionable: true }));
const answers: Readonly<Record<string, unknown>> = {
  [`/guilds/${SERVER}`]: { id: SERVER, name: 'Chess Club', owner_id: '42', roles } as unknown as APIGuild, // what the page shows
  [`/guilds/${SERVER}/members/${BOT}`]: { roles: [] },
  [`/guilds/${SERVER}/channels`]: [{ id: CHANNEL, permission_overwrites: [] }],
  [`/guilds/${SERVER}/roles`]: roles,
  [`/channels/${CHANNEL}`]: { id: CHANNEL },
};
const rest = {
  async get(route: `/${string}`): Promise<unknown> {
    if (route === `/channels/${HIDDEN_CHANNEL}`) throw refusal(50_001, 403);
    if (!(route in answers)) throw refusal(10_003, 404);
    return answers[route];
  },
};

/** The ids that the menus of a message or a form show as chosen. */
function chosenIn(shown: object): readonly string[] {
  return [...JSON.stringify(shown).matchAll(/"default_values":\[([^\]]*)\]/gu)].flatMap(([, list = '']) =>
    [...list.matchAll(/"id":"(\d+)"/gu)].map(([, id = '']) => id),
  );
}

test('the menus of /setup show no deleted role', async () => {
  // The parts that the state reads.
  const state = await readServerState(rest as Parameters<typeof readServerState>[0], { server: SERVER, bot: BOT });
  const settings = { id: SERVER, name: 'Chess Club', joinedAt: new Date(0), roles: { follow: [GONE_ROLE, ROLE], setup: [GONE_ROLE] } };
  const notes = { defaultZone: 'UTC' };

  const shown = [
    await setupPage({ ...settings, ping: GONE_ROLE, liveRole: GONE_ROLE }, state, READER, notes),
    await setupPage({ ...settings, ping: ROLE, liveRole: ROLE }, state, READER, notes),
    rolesPage(settings, state, { texts: en, scope: undefined }),
  ];

  expect(shown.map(chosenIn)).toEqual([[], [ROLE, ROLE], [ROLE]]);
  const saying = (text: string) => shown.map((page) => JSON.stringify(page).includes(text));
  expect(saying(en.setup.ping.gone)).toEqual([true, false, false]);
  expect(saying(en.setup.live.gone)).toEqual([true, false, false]);
  expect([GONE_ROLE, ROLE].map((role) => saying(en.setup.live.role(`<@&${role}>`)))).toEqual([
    [false, false, false],
    [false, true, false],
  ]);
  expect([GONE_ROLE, ROLE].map((role) => saying(en.setup.live.alsoPinged(`<@&${role}>`)))).toEqual([
    [false, false, false],
    [false, true, false],
  ]);
});

test.for([
  [GONE_ROLE, en.setup.ping.gone],
  ['Club', en.setup.ping.cannot('Club')],
  [ROLE, undefined],
] as const)('a card that pings the role %s warns of a deleted one', async ([ping, warning]) => {
  const interaction = { client: { rest, user: { id: BOT } }, guildId: SERVER } as unknown as ChatInputCommandInteraction; // the parts that the warning uses

  expect(await pingWarning({ channel: CHANNEL, ping }, interaction, { texts: en })).toBe(warning);
});

const GONE = [en.setup.channel.gone, en.setup.ping.gone];

test.for<readonly [JsonObject, readonly string[], readonly string[]]>([
  [{ channel: CHANNEL, ping: ROLE }, [CHANNEL, ROLE], []],
  [{ channel: GONE_CHANNEL, ping: GONE_ROLE }, [], GONE],
  [{ channel: HIDDEN_CHANNEL }, [HIDDEN_CHANNEL], []],
  [{}, [], []],
])('the form of /follow edit shows what exists of %j, and names what was deleted', async ([fields, chosen, named]) => {
  const forms: ModalBuilder[] = [];
  const interaction = {
    client: { rest },
    showModal: (form: ModalBuilder) => Promise.resolve(forms.push(form)),
  } as unknown as ChatInputCommandInteraction; // the parts that the form uses
  const entry: ListEntry = { id: 'ada', list: 'followed', server: SERVER, fields };

  await showEditForm(
    interaction,
    entry,
    { server: { id: SERVER, account: 'discord' }, texts: en } as Parameters<typeof showEditForm>[2],
    systemClock,
  );

  expect(forms.map((form) => chosenIn(form.toJSON()))).toEqual([chosen]);
  const shown = JSON.stringify(forms.map((form) => form.toJSON()));
  expect(GONE.filter((text) => shown.includes(text))).toEqual(named);
});
