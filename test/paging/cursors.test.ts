import { describe, expect, test } from 'vitest';
import { chain, idsOf, pagedBot } from '../support/paged-bot.ts';

const three = chain(['a', 'b'], ['c', 'd'], ['e']);
const all = { pages: 'all', waitTime: 0 } as const;

async function firstCursor(account?: string): Promise<string> {
  const { bot } = pagedBot(three, account === undefined ? {} : { account });
  const { cursor } = await bot.getTopStreams();
  if (cursor === undefined) throw new Error('there is no second page');
  return cursor;
}

describe('rule 15: a cursor goes on with the call that gave it', () => {
  test('whatever the pages, the waitTime and the signal', async () => {
    const { bot } = pagedBot(three);
    const { cursor } = await bot.getTopStreams({ pages: 2, waitTime: 0, signal: new AbortController().signal });

    const rest = await bot.getTopStreams({ ...all, cursor });

    expect(idsOf(rest)).toEqual(['e']);
  });

  test('getX and iterX share it', async () => {
    const { bot } = pagedBot(three);
    const { value } = await bot.iterTopStreams().next();
    if (!value) throw new Error('there is no first page');

    const rest = await bot.getTopStreams({ ...all, cursor: value[0].cursor });

    expect(idsOf(rest)).toEqual(['c', 'd', 'e']);
  });

  test('the order of the arguments, and those left undefined, do not matter', async () => {
    const { bot } = pagedBot(three);
    const { cursor } = await bot.getGameStreams('Chess', { sort: 'STARTED_AT', tags: undefined });

    const rest = await bot.getGameStreams('Chess', { cursor, sort: 'STARTED_AT' });

    expect(idsOf(rest)).toEqual(['c', 'd']);
  });

  test('it does not show the cursor of the platform', async () => {
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

  test('a cursor in which any one character was changed, left out or added', async () => {
    const cursor = await firstCursor();
    const { bot, requests } = pagedBot(three);
    const spoilt = Array.from(cursor, (character, index) => {
      const [before, after] = [cursor.slice(0, index), cursor.slice(index + 1)];
      return [`${before}${character === 'A' ? 'B' : 'A'}${after}`, before + after, `${before}${character}!${after}`];
    }).flat();

    const outcomes = await Promise.allSettled(spoilt.map((text) => bot.getTopStreams({ cursor: text })));

    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled' || outcome.reason.name !== 'CursorError')).toEqual([]);
    expect(requests).toEqual([]);
  });
});
