import { ChannelType, DiscordAPIError, PermissionFlagsBits, RESTJSONErrorCodes, type REST } from 'discord.js';
import { expect, test } from 'vitest';
import { lackingOf, readServerState } from '#src/discord/servers/server-state.ts';

const [SERVER, BOT, LIVE, THREAD] = ['1', '2', '3', '4'];
const { ViewChannel, SendMessages, SendMessagesInThreads, EmbedLinks, AttachFiles, ReadMessageHistory } = PermissionFlagsBits;
const OTHERS = ViewChannel | EmbedLinks | AttachFiles | ReadMessageHistory;

/** The server of a bot with these permissions, and a thread. */
function serverWith(permissions: bigint, thread: object | undefined) {
  const refusal = { code: RESTJSONErrorCodes.UnknownChannel, message: 'Unknown Channel' };
  const answers: Readonly<Record<string, unknown>> = {
    [`/guilds/${SERVER}`]: { owner_id: '9', name: 'Club', roles: [{ id: SERVER, permissions: String(permissions), position: 0 }] },
    [`/guilds/${SERVER}/members/${BOT}`]: { roles: [] },
    [`/guilds/${SERVER}/channels`]: [{ id: LIVE, type: ChannelType.GuildText, permission_overwrites: [] }],
    [`/channels/${THREAD}`]: thread,
  };
  const rest = {
    async get(route: string) {
      const answer = answers[route];
      if (answer === undefined) throw new DiscordAPIError(refusal, refusal.code, 404, 'GET', route, {});
      return answer;
    },
  } as unknown as REST; // a server is read with `get` alone
  return readServerState(rest, { server: SERVER, bot: BOT });
}

const OPEN = { id: THREAD, type: ChannelType.PublicThread, guild_id: SERVER, parent_id: LIVE };

test.each([
  ['with the permission', OTHERS | SendMessagesInThreads, OPEN, []],
  ['with the permission for the channel only', OTHERS | SendMessages, OPEN, ['SendMessages']],
  ['that is private', OTHERS | SendMessagesInThreads, { ...OPEN, type: ChannelType.PrivateThread }, undefined],
  ['of another server', OTHERS | SendMessagesInThreads, { ...OPEN, guild_id: '8' }, undefined],
  ['that was deleted', OTHERS | SendMessagesInThreads, undefined, undefined],
])('the permissions in a thread %s', async (_, permissions, thread, expected) => {
  const state = await serverWith(permissions, thread);

  const bits = await state.inChannel(THREAD);

  expect(bits === undefined ? undefined : lackingOf(bits)).toEqual(expected);
});
