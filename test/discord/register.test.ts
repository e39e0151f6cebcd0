import { REST, SlashCommandBuilder } from 'discord.js';
import { describe, expect, test } from 'vitest';
import type { Command } from '#src/discord/commands/command.ts';
import { titled } from '#src/discord/language/languages.ts';
import { register, type Registrar } from '#src/discord/register.ts';
import { createLog, silentLog, type Log } from '#src/log.ts';
import { startDiscordSandbox } from '../support/discord-sandbox.ts';
import { scriptHttp, type Exchange } from '../support/script-http.ts';

const APP = '1202584131993600002';
const servers = [
  { account: 'discord', id: '1202584131993600001', zone: 'UTC' },
  { account: 'berlin', id: '1202584131993600007', zone: 'Europe/Berlin' },
];
const [home = '', berlin = ''] = servers.map(({ id }) => `/v10/applications/${APP}/guilds/${id}/commands`);

const look: Command = {
  needs: 'look',
  data: titled(new SlashCommandBuilder(), ({ assistant }) => ({
    name: assistant.answered === 'Answered' ? 'look' : 'schau',
    description: assistant.answered,
  })).toJSON(),
  run: async () => undefined,
};
const operate: Command = { ...look, needs: 'operate', data: { ...look.data, name: 'operate', name_localizations: null } };

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
    await using http = await scriptHttp([{ together: [nothingYet(home), nothingYet(berlin)] }, { together: [taken(home), taken(berlin)] }]);

    expect(await register(registrar(http.url), [look], { servers, settings: { roles: {} }, log: silentLog })).toBe(true);
  });

  test('in the others where the bot is not in one, and the operator reads which', async () => {
    const lines: string[] = [];
    await using http = await scriptHttp([{ together: [nothingYet(home), shutOut(berlin)] }, taken(home)]);

    await register(registrar(http.url), [look], { servers, settings: { roles: {} }, log: logTo(lines) });

    expect(lines).toEqual([expect.stringMatching(/error the bot is not in a server.*account=berlin server=1202584131993600007/)]);
  });

  test('nowhere where it is in none: that is an error', async () => {
    await using http = await scriptHttp([{ together: [shutOut(home), shutOut(berlin)] }]);

    await expect(register(registrar(http.url), [look], { servers, settings: { roles: {} }, log: silentLog })).rejects.toThrow(
      'Missing Access',
    );
  });

  test('once: in all languages they are as they were', async () => {
    await using discord = await startDiscordSandbox();
    const options = { servers: servers.slice(0, 1), settings: { roles: {} }, log: silentLog };
    const to = { rest: discord.rest(), application: { id: APP } };

    expect([await register(to, [look], options), await register(to, [look], options)]).toEqual([true, false]);
  });
});

test.for([
  ['by the permission to manage the server', {}, String(1n << 5n)],
  ['to all where roles are named, who are asked for theirs', { operate: ['Moderator'] }, null],
  ['to administrators alone where no role is', { operate: [] }, '0'],
] as const)('what needs a permission is offered %s', async ([, roles, expected]) => {
  await using discord = await startDiscordSandbox();
  const options = { servers: servers.slice(0, 1), settings: { roles }, log: silentLog };

  await register({ rest: discord.rest(), application: { id: APP } }, [operate, look], options);

  const offered = (await (await discord.request('GET', `/applications/${APP}/guilds/${discord.guildId}/commands`)).json()) as {
    name: string;
    default_member_permissions: string | null;
  }[];
  expect(offered.map(({ name, default_member_permissions: needs }) => [name, needs])).toEqual([
    ['look', null],
    ['operate', expected],
  ]);
});
