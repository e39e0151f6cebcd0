import { describe, expect, test } from 'vitest';
import { discord } from '#adapters/discord/index.ts';
import { Chat } from '#src/clients/chat/chat.ts';
import type { SentMessage } from '#src/clients/chat/records.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp, type Exchange } from '../../support/script-http.ts';

const GUILD = '1202584131993600001';
const MINUTE_MS = 60_000;

function channels(after?: Promise<unknown>): Exchange {
  return [`GET /v10/guilds/${GUILD}/channels`, { json: [{ id: '7', name: 'live', type: 0 }], ...(after && { after }) }];
}

function sent(channel: string): Exchange {
  const author = { id: '1', username: 'Fanfare', bot: true };
  const texts = { content: 'hi', author, timestamp: '2026-11-20T18:00:00Z', edited_timestamp: null };
  const json = { id: '500', channel_id: channel, ...texts, attachments: [], embeds: [], mentions: [] };
  return [`POST /v10/channels/${channel}/messages`, { json }];
}

interface SendOptions {
  readonly channel?: string;
  readonly thread?: string;
  readonly signal?: AbortSignal;
}

interface Opened {
  readonly clock: ManualClock;
  readonly send: (content: string, options?: SendOptions) => Promise<SentMessage>;
}

function open(apiUrl: string): Opened {
  const clock = new ManualClock();
  const { operations } = discord({ token: 'a-token', guildId: GUILD, apiUrl, clock });
  return {
    clock,
    async send(content, { channel = 'live', thread, signal } = {}) {
      const sent = await operations.send?.({ channel, thread, content }, { signal });
      if (!sent) throw new Error('it sends nothing');
      return sent;
    },
  };
}

test('a channel of a later kind, whose name Discord leaves out, does not stop messages to the other channels', async () => {
  const list: Exchange = [
    `GET /v10/guilds/${GUILD}/channels`,
    {
      json: [
        { id: '6', name: null, type: 99 },
        { id: '7', name: 'live', type: 0 },
      ],
    },
  ];
  await using http = await scriptHttp([list, sent('7')]);

  expect(await open(http.url).send('a')).toMatchObject({ id: '7/500' });
});

test('a category that is named by its id is refused as one', async () => {
  const id = '1202584131993600901';
  const category: Exchange = [`GET /v10/channels/${id}`, { json: { id, name: 'Games', type: 4, guild_id: GUILD } }];
  await using http = await scriptHttp([channels(), category]);

  await expect(open(http.url).send('a', { channel: id })).rejects.toMatchObject({
    fault: 'missing',
    message: expect.stringContaining('"Games" is a category'),
  });
});

test('a thread found by its id is cached', async () => {
  const id = '1202584131993600900';
  const thread: Exchange = [`GET /v10/channels/${id}`, { json: { id, name: 'talk', type: 11, guild_id: GUILD, parent_id: '7' } }];
  await using http = await scriptHttp([channels(), thread, sent(id), sent(id)]);
  const { send } = open(http.url);
  await send('a', { channel: id });

  expect(await send('b', { channel: id })).toMatchObject({ id: `${id}/500` });
});

describe('concurrent sends', () => {
  test('load the channels once, and again after a minute', async () => {
    const thrice = { anyOrder: [sent('7'), sent('7'), sent('7')] };
    await using http = await scriptHttp([channels(), thrice, channels(), thrice]);
    const { send, clock } = open(http.url);
    const sendAll = (): Promise<unknown> => Promise.all(['a', 'b', 'c'].map((content) => send(content)));

    await sendAll();
    await clock.advance(MINUTE_MS);
    await sendAll();

    expect(http.seen).toHaveLength(8);
  });

  test('load the threads of a channel once', async () => {
    await using http = await scriptHttp([
      channels(),
      [`GET /v10/guilds/${GUILD}/threads/active`, { json: { threads: [{ id: '900', name: 'talk', parent_id: '7' }] } }],
      ['GET /v10/channels/7/threads/archived/public?limit=100', { json: { threads: [] } }],
      { anyOrder: [sent('900'), sent('900')] },
    ]);
    const { send } = open(http.url);

    const all = await Promise.all(['a', 'b'].map((content) => send(content, { thread: 'talk' })));

    expect(all.map(({ id }) => id)).toEqual(['900/500', '900/500']);
  });

  test('continue if one of them is aborted', async () => {
    const late = Promise.withResolvers<void>();
    await using http = await scriptHttp([channels(late.promise), sent('7')]);
    const { send } = open(http.url);
    const leaving = new AbortController();
    const [left, stays] = [send('a', { signal: leaving.signal }), send('b')];

    await http.arrived(1);
    leaving.abort(new Error('given up'));
    await expect(left).rejects.toThrow('given up');
    late.resolve();

    expect((await stays).id).toBe('7/500');
  });
});

test('the error about a missing channel of a large server names a few channels, those with the same beginning first', async () => {
  const json = Array.from({ length: 500 }, (_, index) => ({ id: `${index}`, name: index === 499 ? 'live' : `channel-${index}`, type: 0 }));
  const list: Exchange = [`GET /v10/guilds/${GUILD}/channels`, { json }];
  await using server = await scriptHttp([list, list]);
  const chat = new Chat({ platform: discord({ token: 't', guildId: GUILD, apiUrl: server.url, clock: new ManualClock() }) });

  const error: unknown = await chat.send('livee', { content: 'hi' }).catch((reason: unknown) => reason);

  expect(error).toMatchObject({ message: expect.stringMatching(/It has: #live, #channel-0, .*, #channel-18 and 480 more\.$/u) });
});
