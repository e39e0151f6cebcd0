import { REST } from 'discord.js';
import { expect, test } from 'vitest';
import { takeBack } from '#src/discord/take-back.ts';
import { createLog, type Log } from '#src/log.ts';
import { scriptHttp, type Exchange } from '../support/script-http.ts';

const APP = '1202584131993600002';
const HERE = '1202584131993600001';
const servers = [{ account: 'discord', id: HERE, zone: 'UTC' }];

const route = (server: string): string => `/v10/applications/${APP}/guilds/${server}/commands`;
const offered = (server: string, ...names: readonly string[]): Exchange => [
  `GET ${route(server)}`,
  { json: names.map((name, id) => ({ id, name })) },
];
const emptied = (server: string): Exchange => [`PUT ${route(server)}`, { json: [] }];
const refused = (server: string, status: number): Exchange => [
  `GET ${route(server)}`,
  { status, json: { message: 'Missing Access', code: 50_001 } },
];

function joined(servers: readonly string[], after?: string): Exchange {
  const query = after === undefined ? 'limit=200' : `limit=200&after=${after}`;
  return [`GET /v10/users/@me/guilds?${query}`, { json: servers.map((id) => ({ id })) }];
}

async function run(api: string, lines: string[] = [], signal = new AbortController().signal): Promise<void> {
  const log: Log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });
  const rest = new REST({ api, version: '10', retries: 0 }).setToken('a-token');
  await takeBack({ rest, application: { id: APP } }, { servers, log, signal });
}

test('in servers that the bot is in and not at home its commands are taken back, where there are any', async () => {
  const lines: string[] = [];
  await using http = await scriptHttp([joined(['10', HERE, '30']), offered('10', 'live'), emptied('10'), offered('30')]);

  await run(http.url, lines);

  expect(http.seen.at(2)?.body).toBe('[]');
  expect(lines).toEqual([expect.stringMatching(/taken back.*server=10/)]);
});

test('a server in which the bot may not look at them keeps nobody from anything, and is not told', async () => {
  const lines: string[] = [];
  await using http = await scriptHttp([
    joined(['10', '20', '30']),
    refused('10', 403),
    refused('20', 404),
    offered('30', 'live'),
    emptied('30'),
  ]);

  await run(http.url, lines);

  expect(lines).toEqual([expect.stringMatching(/taken back.*server=30/)]);
});

test.for([
  ['one server', [joined(['10', '20']), refused('10', 500), offered('20', 'live'), emptied('20')], /warn.*server=10/],
  ['all of them', [[joined([])[0], { status: 500 }]], /warn/],
] as const)('trouble with %s is told, and is no error', async ([, steps, told]) => {
  const lines: string[] = [];
  await using http = await scriptHttp(steps as readonly Exchange[]); // as const makes tuples of them

  await run(http.url, lines);

  expect(lines[0]).toMatch(told);
});

test('a bot in many servers looks at all of them', async () => {
  const [first, rest] = [Array.from({ length: 200 }, (_, n) => `${n + 1_000}`), ['2000']];
  await using http = await scriptHttp([joined(first), ...first.map((id) => offered(id)), joined(rest, '1199'), offered('2000')]);

  await run(http.url);

  expect(http.seen).toHaveLength(203);
});

test('nothing more is asked once the program ends, and nothing is told of that', async () => {
  const lines: string[] = [];
  const ending = new AbortController();
  ending.abort();
  await using http = await scriptHttp([]);

  await run(http.url, lines, ending.signal);

  expect(lines).toEqual([]);
});
