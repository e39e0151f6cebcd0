import { expect, test } from 'vitest';
import { discordApi } from '#adapters/discord/client.ts';
import { discord } from '#adapters/discord/index.ts';
import { Chat } from '#src/clients/chat/chat.ts';
import { systemClock } from '#src/clock.ts';
import { scriptHttp, type Exchange } from '../../support/script-http.ts';

const HERE = '1202584131993600001';
const BERLIN = '1202584131993600007';

const channelsOf = (guild: string, channel: string): Exchange => [
  `GET /v10/guilds/${guild}/channels`,
  { json: [{ id: channel, name: 'live', type: 0 }] },
];

function sentTo(channel: string, id: string): Exchange {
  const author = { id: '1', username: 'Fanfare', bot: true };
  const message = { id, channel_id: channel, content: 'hi', author, timestamp: '2026-11-20T18:00:00Z', edited_timestamp: null };
  return [`POST /v10/channels/${channel}/messages`, { json: { ...message, attachments: [], embeds: [], mentions: [] } }];
}

/** One bot in two servers. */
function open(apiUrl: string): Readonly<Record<'here' | 'berlin', Chat>> {
  const api = discordApi({ token: 'a-token', apiUrl, clock: systemClock });
  const inServer = (account: string, guildId: string): Chat =>
    new Chat({ platform: discord({ token: 'a-token', guildId, apiUrl, api, account, clock: systemClock }) });
  return { here: inServer('discord', HERE), berlin: inServer('berlin', BERLIN) };
}

test('each account uses the channels of its server', async () => {
  await using http = await scriptHttp([channelsOf(HERE, '10'), sentTo('10', '100'), channelsOf(BERLIN, '20'), sentTo('20', '200')]);
  const { here, berlin } = open(http.url);

  const sent = [await here.send('live', { content: 'hi' }), await berlin.send('live', { content: 'hi' })];

  expect(sent.map(({ id, url }) => [id, url])).toEqual([
    ['10/100', `https://discord.com/channels/${HERE}/10/100`],
    ['20/200', `https://discord.com/channels/${BERLIN}/20/200`],
  ]);
});

test('a channel of another server is unknown', async () => {
  const elsewhere = { id: '120258413199360020', name: 'live', type: 11, guild_id: BERLIN };
  await using http = await scriptHttp([
    channelsOf(HERE, '10'),
    [`GET /v10/channels/${elsewhere.id}`, { json: elsewhere }],
    channelsOf(HERE, '10'),
  ]);

  await expect(open(http.url).here.send(elsewhere.id, { content: 'hi' })).rejects.toThrow(/has no channel "120258413199360020".*#live/);
});

test('a rate limit of the bot applies to all its servers', async () => {
  const limited: Exchange = [
    'POST /v10/channels/10/messages',
    {
      status: 429,
      headers: { 'x-ratelimit-global': 'true', 'x-ratelimit-scope': 'global', 'retry-after': '0.3', via: '1.1 google' },
      json: { message: 'You are being rate limited.', retry_after: 0.3, global: true },
    },
  ];
  await using http = await scriptHttp([
    channelsOf(HERE, '10'),
    sentTo('10', '100'),
    channelsOf(BERLIN, '20'),
    sentTo('20', '200'),
    limited,
    { together: [sentTo('10', '101'), sentTo('20', '201')] },
  ]);
  const { here, berlin } = open(http.url);
  await here.send('live', { content: 'hi' });
  await berlin.send('live', { content: 'hi' });

  const first = here.send('live', { content: 'hi' });
  await http.arrived(5);
  const atMs = performance.now();
  await Promise.all([first, berlin.send('live', { content: 'hi' })]);

  expect(performance.now() - atMs).toBeGreaterThan(200);
  expect(http.seen).toHaveLength(7);
});
