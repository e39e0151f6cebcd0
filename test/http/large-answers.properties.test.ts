import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { shownRows } from '#adapters/bluesky/wire/parts.ts';
import { FeedPost } from '#adapters/bluesky/wire/post.ts';
import { WireMessage } from '#adapters/discord/wire/message.ts';
import { ChannelRows, LiveRows } from '#adapters/kick/wire.ts';
import { StatusRow } from '#adapters/mastodon/wire/status.ts';
import { StreamRows } from '#adapters/twitch/wire/stream.ts';
import { listOf as xRows } from '#adapters/x/wire/envelope.ts';
import { PostRow } from '#adapters/x/wire/post-row.ts';
import { PlatformError } from '#src/errors.ts';
import { httpClient } from '#src/http/client.ts';
import { arrayOf, listOf, readRows } from '#src/http/lenient.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { countProcessorMs } from '../support/processor-time.ts';
import { fc, runs, selected } from '../support/property.ts';
import { scriptHttp } from '../support/script-http.ts';

const inData = (rows: string): string => `{"data":${rows}}`;
const alone = (rows: string): string => rows;

/** The list of an answer of each platform. */
const LISTS: Readonly<Record<string, readonly [schema: z.ZodType, wrap: (rows: string) => string]>> = {
  twitch: [StreamRows, inData],
  kick: [LiveRows, inData],
  'kick channels': [ChannelRows, inData],
  mastodon: [readRows(StatusRow), alone],
  x: [xRows(PostRow), inData],
  bluesky: [z.object({ data: shownRows(FeedPost) }), inData],
  discord: [arrayOf(WireMessage), alone],
};
const ROWS = ['{}', '{"id":"1"}', '0', '[]', 'null', '{"post":{},"reply":{"parent":{}}}', '{"id":"1","media_attachments":[{},{},{}]}'];

/** Reads one answer; resolves with the fault. */
async function faultOf(schema: z.ZodType, text: string): Promise<string | undefined> {
  await using server = await scriptHttp([['GET /list', { text, headers: { 'content-type': 'application/json' } }]]);
  await using http = httpClient({ platform: 'test', baseUrl: server.url, clock: new ManualClock() });
  try {
    (await http.request({ path: '/list' })).json(schema);
  } catch (error) {
    if (error instanceof PlatformError) return error.fault;
    throw error;
  }
  return undefined;
}

describe.for(Object.entries(LISTS))('%s', ([, [schema, wrap]]) => {
  test('a large answer without readable rows fails within a second', async () => {
    const sizes = fc.constantFrom(550_000, 2_000_000, 8_000_000);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ROWS), sizes, async (row, bytes) => {
        const text = wrap(`[${Array.from({ length: Math.floor(bytes / (row.length + 1)) }, () => row).join(',')}]`);
        const processorMs = countProcessorMs();

        const fault = await faultOf(schema, text);

        expect(processorMs(), `${bytes} bytes of ${row}`).toBeLessThan(1000);
        expect(fault).toBe('malformed');
      }),
      { numRuns: runs(1, 3 * ROWS.length) },
    );
  });
});

test.for(selected([27_000_000, 550_000, 7_000_000], 1))('an answer of %i bytes needs less than 96 MB of memory', async (bytes) => {
  const text = inData(`[${Array.from({ length: bytes / 11 }, () => '{"id":"1"}').join(',')}]`);
  await using server = await scriptHttp([['GET /list', { text, headers: { 'content-type': 'application/json' } }]]);
  const reader = new Worker(new URL('read-large-answer.ts', import.meta.url), {
    workerData: server.url,
    resourceLimits: { maxOldGenerationSizeMb: 96 },
  });

  expect(await once(reader, 'message')).toEqual(['malformed']);
  await reader.terminate();
});

const Row = z.object({ id: z.string() });
const KINDS = { readRows: readRows(Row), listOf: listOf(Row), arrayOf: arrayOf(Row) };

test.for(Object.entries(KINDS))('%s accepts 10,000 rows, and counts more before it reads them', ([, schema]) => {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({ id: `${index}` }));

  expect(schema.safeParse(rows).success).toBe(true);
  expect(schema.safeParse([...rows, { id: 'last' }]).error?.issues).toMatchObject([{ code: 'too_big' }]);
});

test.for(Object.entries(KINDS))('%s reports one row of a list without readable rows', ([, schema]) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), (count) => {
      const { error } = schema.safeParse(Array.from({ length: count }, () => ({ html: '<p>' })));
      expect(error?.issues.map(({ path }) => path)).toEqual([expect.arrayContaining(['id'])]);
    }),
    { numRuns: runs(5, 200) },
  );
});

test('a list with more than 1,000 unreadable rows fails, even if others are readable', () => {
  const rows = (unreadable: number): readonly object[] => [{ id: '1' }, ...Array.from({ length: unreadable }, () => ({}))];

  expect(KINDS.readRows.parse(rows(1000))).toMatchObject({ rows: [{ id: '1' }], partialErrors: { length: 1000 } });
  expect(KINDS.readRows.safeParse(rows(1001)).success).toBe(false);
});

interface Tree {
  readonly branches: readonly Tree[];
}
const Tree: z.ZodType<Tree> = z.object({ branches: z.lazy(() => listOf(Tree)) });

test('an answer that is nested too deeply is malformed', async () => {
  const depth = 100_000;

  expect(await faultOf(Tree, `${'{"branches":['.repeat(depth)}${']}'.repeat(depth)}`)).toBe('malformed');
});
