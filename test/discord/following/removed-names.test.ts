import { expect, test } from 'vitest';
import type { Caller } from '#src/discord/caller.ts';
import { removeFollowed } from '#src/discord/following/change-followed.ts';
import { en } from '#src/discord/language/en/index.ts';
import type { ListEntry } from '#src/rules/lists.ts';

const caller = { id: '1', name: 'mod', server: { id: '9', account: 'discord' }, texts: en } as unknown as Caller; // what the answer needs

test.each([0, 1])('the answer to the removal of many streamers cuts no emoji in half, which Discord refuses', async (shift) => {
  const entries = Array.from({ length: 100 }, (_, index): ListEntry => {
    const name = `${'a'.repeat(index === 0 ? shift : 0)}${'🎮'.repeat(20)}`;
    return { list: 'followed', server: '9', id: `streamer-${index}`, fields: { name } };
  });
  const controls = { removeListEntries: async () => ({ list: 'followed', change: undefined, entries: [] }) };

  const { components } = await removeFollowed(entries, 'follow', caller, { controls } as never); // the answer needs no other action

  expect(JSON.stringify(components)).not.toMatch(/\\ud[89a-f]/u);
});
