import { describe, expect, test } from 'vitest';
import { chain, idsOf, pagedBot } from '../../support/paged-bot.ts';

const three = chain(['a', 'b'], ['c', 'd'], ['e']);
const all = { pages: 'all', waitTime: 0 } as const;

async function firstCursor(account?: string): Promise<string> {
  const { bot } = pagedBot(three, account === undefined ? {} : { account });
  const { cursor } = await bot.getTopStreams();
  if (cursor === undefined) throw new Error('there is no second page');
  return cursor;
}

describe('rule 15: a cursor continues the call that returned it', () => {
  test('with other pages, waitTime and signal', async () => {
    const { bot } = pagedBot(three);
    const { cursor } = await bot.getTopStreams({ pages: 2, waitTime: 0, signal: new AbortController().signal });

    const rest = await bot.getTopStreams({ ...all, cursor });

    expect(idsOf(rest)).toEqual(['e']);
  });

  test('getX accepts a cursor of iterX', async () => {
    const { bot } = pagedBot(three);
    const { value } = await bot.iterTopStreams().next();
    if (!value) throw new Error('there is no first page');

    const rest = await bot.getTopStreams({ ...all, cursor: value[0].cursor });

    expect(idsOf(rest)).toEqual(['c', 'd', 'e']);
  });

  test('the order of arguments and undefined arguments do not matter', async () => {
    const { bot } = pagedBot(three);
    const { cursor } = await bot.getGameStreams('Chess', { sort: 'STARTED_AT', tags: undefined });

    const rest = await bot.getGameStreams('Chess', { cursor, sort: 'STARTED_AT' });

    expect(idsOf(rest)).toEqual(['c', 'd']);
  });

  test('a cursor does not contain the cursor of the platform', async () => {
    expect(await firstCursor()).not.toContain('p2');
  });
});

describe('rule 15: anything else is a CursorError before any request', () => {
  test('the cursor of another operation', async () => {
    const { bot, requests } = pagedBot(three);

    await expect(bot.getGameStreams('Chess', { cursor: await firstCursor() })).rejects.toMatchObject({ name: 'CursorError' });
    expect(requests).toEqual([]);
  });

  test('the cursor of other arguments', async () => {
    const { bot, requests } = pagedBot(three);

    await expect(bot.getTopStreams({ tags: ['a'], cursor: await firstCursor() })).rejects.toMatchObject({ name: 'CursorError' });
    expect(requests).toEqual([]);
  });

  test('the cursor of another account', async () => {
    const { bot, requests } = pagedBot(three);

    await expect(bot.getTopStreams({ cursor: await firstCursor('other') })).rejects.toMatchObject({ name: 'CursorError' });
    expect(requests).toEqual([]);
  });

  test.for(['', 'p2', 'eyJjdXJzb3IiOiJhIn0', Buffer.from('{"v":1}').toString('base64url'), '{}'])('the text "%s"', async (cursor) => {
    const { bot, requests } = pagedBot(three);

    await expect(bot.getTopStreams({ cursor })).rejects.toMatchObject({ name: 'CursorError' });
    await expect(bot.iterTopStreams({ cursor }).next()).rejects.toMatchObject({ name: 'CursorError' });
    expect(requests).toEqual([]);
  });

  test('a cursor with one character changed, removed or added', async () => {
    const cursor = await firstCursor();
    const { bot, requests } = pagedBot(three);
    const damaged = Array.from(cursor, (character, index) => {
      const [before, after] = [cursor.slice(0, index), cursor.slice(index + 1)];
      return [`${before}${character === 'A' ? 'B' : 'A'}${after}`, before + after, `${before}${character}!${after}`];
    }).flat();

    const outcomes = await Promise.allSettled(damaged.map((text) => bot.getTopStreams({ cursor: text })));

    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled' || outcome.reason.name !== 'CursorError')).toEqual([]);
    expect(requests).toEqual([]);
  });
});
