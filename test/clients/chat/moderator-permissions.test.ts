import { PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';
import { makesModerators } from '#src/clients/chat/moderator-permissions.ts';

/** Until February 2026, Manage Messages included the last two: https://github.com/discord/discord-api-docs/pull/8002 */
test.for(['ManageMessages', 'PinMessages', 'BypassSlowmode'] as const)('a role with the permission %s makes moderators', (name) => {
  expect(makesModerators(String(PermissionFlagsBits[name]))).toBe(true);
});

test('a role that can write makes no moderators', () => {
  expect(makesModerators(String(PermissionFlagsBits.SendMessages | PermissionFlagsBits.EmbedLinks))).toBe(false);
});
