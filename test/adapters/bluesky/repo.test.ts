import { expect, test } from 'vitest';
import { repo, writeOnce } from '#adapters/bluesky/repo.ts';
import type { Xrpc } from '#adapters/bluesky/client.ts';
import { PlatformError } from '#src/errors.ts';
import { DID } from './script-bluesky.ts';

const ITEM = 'app.bsky.graph.listitem';

/** A server that lists one record a page, each with the cursor of its page. */
function listing(cursorOf: (page: number) => string | undefined): Xrpc & { readonly asked: () => number } {
  let pages = 0;
  return {
    asked: () => pages,
    session: async () => ({ did: DID, handle: 'ada.test', pds: 'http://a.test', accessJwt: 'a', refreshJwt: 'r' }),
    query: async (_, answer) => answer.parse({ records: [{ uri: `at://${DID}/${ITEM}/${++pages}`, value: {} }], cursor: cursorOf(pages) }),
    procedure: () => {
      throw new Error('unexpected write');
    },
  };
}

test('an endless list of records is an error after a thousand pages', async () => {
  const xrpc = listing(String);

  await expect(Array.fromAsync(repo(xrpc).all(ITEM, {}))).rejects.toMatchObject({
    fault: 'rejected',
    message: 'bluesky: there are more than 100000 records of app.bsky.graph.listitem: these are too many to search.',
  });

  expect(xrpc.asked()).toBe(1_000);
});

test.each([
  ['a page has no cursor', (page: number) => (page < 3 ? String(page) : undefined), 3],
  ['a cursor repeats', (page: number) => String(page % 3), 4],
  ['the thousandth page, which has no cursor', (page: number) => (page < 1_000 ? String(page) : undefined), 1_000],
])('all records are read until %s', async (_, cursorOf, count) => {
  expect(await Array.fromAsync(repo(listing(cursorOf)).all(ITEM, {}))).toHaveLength(count);
});

test.each([
  ['cannot be read now', 'unavailable', 'unavailable'],
  ['cannot be read by this account', 'forbidden', 'rejected'],
] as const)('a refused batch whose record %s (%s) fails with the fault %s', async (_, fault, expected) => {
  const failing = (its: 'rejected' | typeof fault) => () =>
    Promise.reject(new PlatformError('refused', { platform: 'bluesky', fault: its }));
  const server = repo({ ...listing(() => undefined), query: failing(fault), procedure: failing('rejected') });
  const address = { did: DID, collection: ITEM, rkey: '1' };
  const beside = [{ collection: ITEM, rkey: '2', value: {} }];

  await expect(writeOnce(server, { address, value: {}, beside, signal: undefined })).rejects.toMatchObject({ fault: expected });
});
