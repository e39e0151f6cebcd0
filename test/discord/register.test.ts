import { REST, SlashCommandBuilder } from 'discord.js';
import { describe, expect, test } from 'vitest';
import type { Command } from '#src/discord/command.ts';
import { localize } from '#src/discord/language/languages.ts';
import { offerCommands, offerLater } from '#src/discord/offer-commands.ts';
import { register, type Registrar, removeCommands } from '#src/discord/register.ts';
import { createLog, type Log, silentLog } from '#src/log.ts';
import { startDiscordSandbox } from '../support/discord-sandbox.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Exchange, scriptHttp } from '../support/script-http.ts';

const APP = '1202584131993600002';
const servers = [
  { account: 'discord', id: '1202584131993600001', zone: 'UTC' },
  { account: 'berlin', id: '1202584131993600007', zone: 'Europe/Berlin' },
];
const [home = '', berlin = ''] = servers.map(({ id }) => `/v10/applications/${APP}/guilds/${id}/commands`);

const searchCommand: Command = {
  needs: 'look',
  data: localize(new SlashCommandBuilder(), ({ assistant }) => ({
    name: assistant.answered === 'Answered' ? 'look' : 'schau',
    description: assistant.answered,
  })).toJSON(),
  run: async () => undefined,
};
const operate: Command = { ...searchCommand, needs: 'operate', data: { ...searchCommand.data, name: 'operate', name_localizations: null } };

function registrar(api: string): Registrar {
  return { rest: new REST({ api, version: '10', retries: 0 }).setToken('a-token'), application: { id: APP } };
}

function logTo(lines: string[]): Log {
  return createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });
}

const nothingYet = (route: string): Exchange => [`GET ${route}?with_localizations=true`, { json: [] }];
const taken = (route: string): Exchange => [`PUT ${route}`, { json: [] }];
const shutOut = (route: string): Exchange => [
  `GET ${route}?with_localizations=true`,
  { status: 403, json: { message: 'Missing Access', code: 50_001 } },
];

describe('commands are offered', () => {
  test('in each of the servers', async () => {
    await using http = await scriptHttp([{ anyOrder: [nothingYet(home), nothingYet(berlin), taken(home), taken(berlin)] }]);

    expect(await register(registrar(http.url), [searchCommand], { servers, settings: { roles: {} }, log: silentLog })).toBe(true);
  });

  test('in other servers if one refuses access, which the log names', async () => {
    const lines: string[] = [];
    await using http = await scriptHttp([{ anyOrder: [nothingYet(home), shutOut(berlin), taken(home)] }]);

    await register(registrar(http.url), [searchCommand], { servers, settings: { roles: {} }, log: logTo(lines) });

    expect(lines).toEqual([expect.stringMatching(/error the bot is not in a server.*account=berlin server=1202584131993600007/)]);
  });

  test('in a server that does not list them', async () => {
    const listed: Exchange = [`GET ${home}?with_localizations=true`, { status: 404, json: { message: '404: Not Found', code: 0 } }];
    await using http = await scriptHttp([listed, taken(home)]);

    expect(
      await register(registrar(http.url), [searchCommand], { servers: servers.slice(0, 1), settings: { roles: {} }, log: silentLog }),
    ).toBe(true);
  });

  test('after a refusal, which the log has with its status and path', async () => {
    const lines: string[] = [];
    const clock = new ManualClock();
    await using http = await scriptHttp([shutOut(home), nothingYet(home), taken(home)]);
    const options = { servers: servers.slice(0, 1), settings: { roles: {} }, onDenied: () => undefined, onProblem: () => undefined };
    const signal = new AbortController().signal;

    const offering = offerCommands(registrar(http.url), { ...options, commands: [searchCommand], clock, log: logTo(lines), signal });
    await expect.poll(() => clock.sleeping).toBe(1);
    await clock.advance(2_000);

    expect(await offering).toBe(true);
    expect(lines).toEqual([expect.stringMatching(`reason="Missing Access" status=403 path="GET ${home}"`)]);
  });

  test('after a failed request, which does not count as a refusal', async () => {
    const denied: (readonly unknown[])[] = [];
    const clock = new ManualClock();
    const failing: Exchange = [`GET ${home}?with_localizations=true`, { status: 500, json: { message: 'Internal Server Error', code: 0 } }];
    await using http = await scriptHttp([failing, nothingYet(home), taken(home)]);
    const options = { settings: { roles: {} }, onDenied: (from: readonly unknown[]) => denied.push(from), firstPauseMs: 0 };
    const signal = new AbortController().signal;

    const offering = offerLater(registrar(http.url), servers.slice(0, 1), {
      ...options,
      commands: [searchCommand],
      clock,
      log: silentLog,
      signal,
    });
    for (const pauseMs of [0, 2_000]) {
      await expect.poll(() => clock.sleeping).toBe(1);
      await clock.advance(pauseMs);
    }
    await offering;

    expect(denied).toEqual([[]]);
  });

  test('in no server, which is an error', async () => {
    await using http = await scriptHttp([{ anyOrder: [shutOut(home), shutOut(berlin)] }]);

    await expect(register(registrar(http.url), [searchCommand], { servers, settings: { roles: {} }, log: silentLog })).rejects.toThrow(
      'Missing Access',
    );
  });

  test('once, if no language has changed', async () => {
    await using discord = await startDiscordSandbox();
    const options = { servers: servers.slice(0, 1), settings: { roles: {} }, log: silentLog };
    const to = { rest: discord.rest(), application: { id: APP } };

    expect([await register(to, [searchCommand], options), await register(to, [searchCommand], options)]).toEqual([true, false]);
  });
});

test.for([
  ['by the permission to manage the server', {}, String(1n << 5n)],
  ['to all members if roles are named, whose roles are checked', { operate: ['Moderator'] }, null],
  ['to administrators only if no role is named', { operate: [] }, '0'],
] as const)('a command that needs a permission is offered %s', async ([, roles, expected]) => {
  await using discord = await startDiscordSandbox();
  const options = { servers: servers.slice(0, 1), settings: { roles }, log: silentLog };

  await register({ rest: discord.rest(), application: { id: APP } }, [operate, searchCommand], options);

  const offered = (await (await discord.request('GET', `/applications/${APP}/guilds/${discord.guildId}/commands`)).json()) as {
    name: string;
    default_member_permissions: string | null;
  }[];
  expect(offered.map(({ name, default_member_permissions: needs }) => [name, needs])).toEqual([
    ['look', null],
    ['operate', expected],
  ]);
});

const HERE = '1202584131993600001';

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
  await removeCommands({ rest, application: { id: APP } }, { servers: [{ id: HERE }], log, signal });
}

test('commands are removed from servers that are not configured', async () => {
  const lines: string[] = [];
  await using http = await scriptHttp([joined(['10', HERE, '30']), offered('10', 'live'), emptied('10'), offered('30')]);

  await run(http.url, lines);

  expect(http.seen.at(2)?.body).toBe('[]');
  expect(lines).toEqual([expect.stringMatching(/removed from a server.*server=10/)]);
});

test('a server that refuses access is skipped without a log entry', async () => {
  const lines: string[] = [];
  await using http = await scriptHttp([
    joined(['10', '20', '30']),
    refused('10', 403),
    refused('20', 404),
    offered('30', 'live'),
    emptied('30'),
  ]);

  await run(http.url, lines);

  expect(lines).toEqual([expect.stringMatching(/removed from a server.*server=30/)]);
});

test.for([
  ['one server', [joined(['10', '20']), refused('10', 500), offered('20', 'live'), emptied('20')], /warn.*server=10/],
  ['the list of servers', [[joined([])[0], { status: 500 }]], /warn/],
] as const)('a failure of %s is logged as a warning', async ([, steps, answered]) => {
  const lines: string[] = [];
  await using http = await scriptHttp(steps as readonly Exchange[]); // as const makes tuples of them

  await run(http.url, lines);

  expect(lines[0]).toMatch(answered);
});

test('all pages of the server list are read', async () => {
  const [first, rest] = [Array.from({ length: 200 }, (_, n) => `${n + 1_000}`), ['2000']];
  await using http = await scriptHttp([joined(first), ...first.map((id) => offered(id)), joined(rest, '1199'), offered('2000')]);

  await run(http.url);

  expect(http.seen).toHaveLength(203);
});

test('after the end of the process, there are no requests and no log entries', async () => {
  const lines: string[] = [];
  const ending = new AbortController();
  ending.abort();
  await using http = await scriptHttp([]);

  await run(http.url, lines, ending.signal);

  expect(lines).toEqual([]);
});
