import type { ChatInputCommandInteraction } from 'discord.js';
import { expect, test } from 'vitest';
import type { Caller } from '#src/discord/caller.ts';
import { followCommand, type FollowCommandOptions } from '#src/discord/commands/follow.ts';
import { en } from '#src/discord/language/en/index.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const SERVER = '300000000000000001';
const BOT = '300000000000000002';
const [BEFORE, NOW] = ['300000000000000011', '300000000000000012'];

const entry: ListEntry = { id: 'ada', list: 'followed', server: SERVER, fields: { twitch: 'ada', channel: BEFORE } };

test('the answer to /follow edit names the channel that another member chose in the meantime', async () => {
  const parts = {
    clock: new ManualClock(),
    streaming: new Map(),
    lists: { list: async () => ({ entries: [entry] }) },
    storedServers: { find: async () => undefined },
    controls: {
      rules: async () => [],
      // Another member chose this channel first.
      changeListEntry: async ({ fields }: { readonly fields: object }) => ({
        change: undefined,
        entries: [{ ...entry, fields: { ...entry.fields, channel: NOW, ...fields } }],
      }),
    },
  } as unknown as FollowCommandOptions; // what the command needs
  const guild = { id: SERVER, owner_id: BOT, roles: [], name: 'Club' };
  const channels = [BEFORE, NOW].map((id) => ({ id, type: 0, permission_overwrites: [] }));
  const rest = {
    get: async (route: string) => (route.endsWith('/channels') ? channels : route.includes('/members/') ? { roles: [] } : guild),
  };
  const shown: unknown[] = [];
  const interaction = {
    client: { rest, user: { id: BOT } },
    guildId: SERVER,
    options: {
      getSubcommand: () => 'edit',
      getString: (name: string) => (name === 'streamer' ? 'ada' : 'Chess'),
      getUser: () => null,
      getMember: () => null,
    },
    reply: async (answer: unknown) => void shown.push(answer),
  } as unknown as ChatInputCommandInteraction; // what the command needs
  const caller = { id: '1', name: 'ada', server: { id: SERVER, account: 'discord' }, texts: en } as unknown as Caller; // what the command needs

  await followCommand(parts).run(interaction, caller);

  expect(JSON.stringify(shown)).toContain(en.following.next(`<#${NOW}>`));
});
