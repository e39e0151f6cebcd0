import { expect, test } from 'vitest';
import { discord } from '#adapters/discord/index.ts';
import { Chat } from '#src/clients/chat/chat.ts';
import type { WantedStatus } from '#src/clients/chat/wanted-status.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('a status is stored for the connection of the bot, without a request to Discord', async () => {
  const kept: WantedStatus[] = [];
  const statuses = { find: () => Promise.resolve(kept.at(-1)), keep: (status: WantedStatus) => Promise.resolve(void kept.push(status)) };
  const clock = new ManualClock();
  const chat = new Chat({ platform: discord({ token: 't', guildId: '1', apiUrl: 'http://127.0.0.1:1', statuses, clock }), clock });

  const set = await chat.setStatus('3 streams', { activity: 'watching' });
  await chat.setStatus('');

  expect(set).toEqual({ platform: 'discord', id: 'status', text: '3 streams' });
  expect(kept).toEqual([
    { text: '3 streams', activity: 'watching', presence: 'online' },
    { text: '', activity: 'custom', presence: 'online' },
  ]);
});
