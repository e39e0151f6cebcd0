import { ChannelType, PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { requireMaySee } from '#src/discord/servers/require-may-see.ts';

const { ReadMessageHistory, SendMessages, ViewChannel } = PermissionFlagsBits;

test.for([
  [true, ViewChannel | ReadMessageHistory],
  [false, ViewChannel | SendMessages],
  [false, ReadMessageHistory | SendMessages],
  [false, undefined],
] as const)('a command of a rule reads a channel for a member: %s with the permissions %i there', async ([isAllowed, bits]) => {
  const channel = { type: ChannelType.GuildText, id: '8' };
  const caller = { id: '42', roleIds: [], texts: en };

  const checked = requireMaySee(channel as never, { inChannel: async () => bits }, caller).then(() => true); // the fields that it reads

  expect(await checked.catch(({ message }: Error) => message)).toBe(isAllowed ? true : en.ruleCommands.hiddenChannel);
});
