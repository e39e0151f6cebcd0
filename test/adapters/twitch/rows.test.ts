import { fc } from '../../support/property.ts';
import { describe, expect, test } from 'vitest';
import { helix } from '#adapters/twitch/client.ts';
import { cursorAtEnd } from '#adapters/twitch/wire/rows.ts';
import { StreamRows } from '#adapters/twitch/wire/stream.ts';
import type { AppToken } from '#src/http/app-token.ts';
import type { HttpClient } from '#src/http/client.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { rows, scriptTwitch, streamRow } from './script-twitch.ts';

const TOP = 'GET /helix/streams?first=100';

/** Names and texts that look like the end of a response, and cursors in and outside of the format of Helix. */
const word = fc.oneof(
  fc.constantFrom('pagination', 'cursor', 'data', '"pagination":{"cursor":"x"}}', '\\', '",', ',"pagination":{"cursor":"', 'eyJi=='),
  fc.string({ maxLength: 5 }),
);
const { answers } = fc.letrec((tie) => ({
  answers: fc.dictionary(word, fc.oneof({ maxDepth: 4 }, word, fc.integer(), fc.array(tie('answers'), { maxLength: 3 }), tie('answers')), {
    maxKeys: 4,
  }),
}));
const likely = fc.tuple(answers, fc.option(word)).map(([answer, cursor]) => ({
  data: [answer],
  pagination: cursor === null ? {} : { cursor },
}));

describe('a cursor that is read before the response is parsed', () => {
  test('equals the cursor of the parsed response, or is absent', () => {
    fc.assert(
      fc.property(fc.oneof(answers, likely), fc.constantFrom('', '\n', ' '), (answer, behind) => {
        const text = JSON.stringify(answer) + behind;
        const { pagination } = JSON.parse(text) as { readonly pagination?: { readonly cursor?: unknown } }; // it was written as an object

        expect([undefined, pagination?.cursor]).toContain(cursorAtEnd(text));
      }),
      { numRuns: 2000 },
    );
  });

  test.for([
    ['{"data":[],"pagination":{"cursor":"eyJi-_+/=="}}', 'eyJi-_+/=='],
    ['{"data":[],"pagination":{"cursor":"eyJi"}}\n', 'eyJi'],
    ['{"data":[],"pagination":{}}', undefined],
    ['{"data":[],"pagination":{"cursor":""}}', undefined],
    ['{"pagination":{"cursor":"eyJi"},"data":[]}', undefined],
    ['{"data":[],"pagination":{"cursor":"eyJi"},"total":1}', undefined],
    ['{"data":[],"pagination":{"cursor":"ey\\u004ai"}}', undefined],
    ['{"data":{"pagination":{"cursor":"eyJi"}}}', undefined],
    [String.raw`{"data":"x,\"pagination\":{\"cursor\":\"eyJi\"}}`, undefined],
    ['{"data":[],"pagination":{"cursor":"eyJi"}}{', undefined],
  ] as const)('of %s it is %s', ([text, cursor]) => {
    expect(cursorAtEnd(text)).toBe(cursor);
  });
});

test('if the cursor is at the end of the response, the next page is announced before the parsing', async () => {
  const text = JSON.stringify({ data: [streamRow('ada')], pagination: { cursor: 'second' } });
  const events: string[] = [];
  const api: HttpClient = {
    request: async () => ({
      status: 200,
      headers: {},
      text,
      json(schema) {
        events.push('parsed');
        return schema.parse(JSON.parse(text));
      },
    }),
    async [Symbol.asyncDispose]() {},
  };
  const token: AppToken = { authorized: (_signal, send) => send('token-1') };
  const twitch = helix({ api, token, clientId: 'client', pageRequests: 10, clock: new ManualClock() });

  const { cursor } = await twitch.list('/streams', StreamRows, {}, { onNext: async (next) => void events.push(`next ${next}`) });

  expect(events).toEqual(['next second', 'parsed']);
  expect(cursor).toBe('second');
});

test('if the cursor is elsewhere, the walk is the same', async () => {
  const first = JSON.stringify({ pagination: { cursor: 'second' }, data: [streamRow('ada')] });
  await using twitch = await scriptTwitch([
    [TOP, { text: first }],
    [`${TOP}&after=second`, rows([streamRow('grace')])],
  ]);

  const streams = await twitch.bot.getTopStreams({ pages: 'all', waitTime: 0 });

  expect(streams.items.map(({ id }) => id)).toEqual(['s-ada', 's-grace']);
});
