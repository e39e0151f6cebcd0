import { expect, test } from 'vitest';
import type { StreamingClient } from '#src/admin/queries/lookup-clients.ts';
import type { Caller } from '#src/discord/caller.ts';
import { entriesNamed } from '#src/discord/following/entries-named.ts';
import { en } from '#src/discord/language/en/index.ts';
import { PlatformError } from '#src/errors.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const caller = { texts: en, signal: new AbortController().signal } as unknown as Caller; // what the names need
const ada: ListEntry = { list: 'followed', server: '9', id: 'ada', fields: { twitch: 'ada', userIds: { twitch: '1' } } };

test('platforms are not asked for more names than a member can add at once', async () => {
  let asked = 0;
  const client = {
    platformName: 'twitch',
    async getUser() {
      asked++;
      throw new PlatformError('no such channel', { platform: 'twitch', fault: 'missing' });
    },
    search: async () => ({ items: [] }),
  } as unknown as StreamingClient; // what a look-up reads
  const named = (count: number): Promise<unknown> => {
    const text = Array.from({ length: count }, (_, index) => `unknown${index}`).join(' ');
    const streaming = new Map([['twitch', client]]);
    return entriesNamed(text, [ada], caller, { streaming, limitNames: () => undefined, clock: new ManualClock() });
  };

  await expect(named(101)).rejects.toThrow(en.following.tooMany(100));
  expect(asked).toBe(0);
  await expect(named(100)).rejects.toThrow(en.following.notFollowed('unknown0'));
  expect(asked).toBe(100);
});
