import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { openDiscordSetup } from '#src/app/open-discord-setup.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { neededPermissions, OPERATION_PERMISSIONS } from '#src/admin/channel-checks/operation-permissions.ts';
import { authDiscord } from '#src/cli/auth-discord.ts';
import { prompter } from '#src/cli/prompter.ts';
import { startDiscordSandbox, type DiscordSandbox } from '../support/discord-sandbox.ts';
import { ruleOf } from '../support/rule-language.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collectLines } from './collect-lines.ts';

const RULES = {
  send: 'id: send\nwhen: { every: 1m }\nthen: [{ do: discord.send, with: { channel: live, content: x } }]\n',
  role: 'id: role\nwhen: { every: 1m }\nenabled: sandbox\nthen: [{ do: discord.addRole, with: { user: "1", role: Live } }]\n',
  off: 'id: off\nwhen: { every: 1m }\nenabled: false\nthen: [{ do: discord.react, with: { message: live/1, emoji: 🎉 } }]\n',
  members:
    'id: members\nwhen: { every: 5m, watch: discord.getMembers, with: { status: online } }\n' +
    'then: [{ do: discord.send, with: { channel: live, content: x } }]\n',
  streams:
    'id: streams\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }\n' +
    'then: [{ do: discord.send, with: { channel: live, files: ["https://a.test/a.png"], content: x } }]\n',
};

interface SetupRun {
  readonly typed: readonly string[];
  readonly rules?: readonly (keyof typeof RULES)[];
  readonly environment?: (sandbox: DiscordSandbox) => Readonly<Record<string, string>>;
  /** Runs when the bot waits for its server. */
  readonly onInvitation?: (sandbox: DiscordSandbox) => Promise<unknown>;
  readonly before?: (sandbox: DiscordSandbox) => Promise<unknown>;
}

interface SetupResult {
  readonly ended: PromiseSettledResult<number>;
  readonly written: readonly unknown[];
  readonly text: string;
  readonly sandbox: DiscordSandbox;
}

async function setUp({ typed, rules = ['send'], environment = () => ({}), onInvitation, before }: SetupRun): Promise<SetupResult> {
  using folder = temporaryFolder();
  await using sandbox = await startDiscordSandbox();
  const directory = join(folder.path, 'rules');
  mkdirSync(directory);
  for (const rule of rules) writeFileSync(join(directory, `${rule}.yaml`), RULES[rule]);
  await before?.(sandbox);
  const { out, text } = collectLines();
  const input = new PassThrough();
  using asking = prompter({ input, out });
  const answers = typed.map((answer) => (answer === 'TOKEN' ? sandbox.token : answer));
  const written: unknown[] = [];
  const [ended] = await Promise.allSettled([
    authDiscord({
      setup: openDiscordSetup({
        FANFARE_RULES: directory,
        DISCORD_API_URL: sandbox.sandbox.environment['DISCORD_API_URL'],
        ...environment(sandbox),
      }),
      write: async (variables) => void written.push(variables),
      offRules: async () => [],
      prompter: {
        async ask(question) {
          if (question.text.startsWith('Press Enter')) await onInvitation?.(sandbox);
          const next = answers.shift();
          if (next === undefined) input.end();
          else input.write(`${next}\n`);
          return asking.ask(question);
        },
        [Symbol.dispose]: () => undefined,
      },
      out,
      signal: new AbortController().signal,
    }),
  ]);
  return { ended, written, text: text(), sandbox };
}

const configured = ({ token, guildId }: DiscordSandbox): Readonly<Record<string, string>> => ({
  DISCORD_TOKEN: token,
  DISCORD_GUILD_ID: guildId,
});

/** The permissions of the first invitation in a text. */
function invited(text: string): bigint {
  const [, bits = '0'] = /oauth2\/authorize\?client_id=\d+&permissions=(\d+)/u.exec(text) ?? [];
  return BigInt(bits);
}

const ADD_REACTIONS = 1n << 6n;
const MANAGE_ROLES = 1n << 28n;
const SEND_MESSAGES = 1n << 11n;

describe('auth discord', () => {
  test('shows the intents that rules need', async () => {
    const { text } = await setUp({
      typed: ['TOKEN'],
      rules: ['members'],
      before: (sandbox) => sandbox.order('/discord/gateway', { do: 'disallow', intents: ['GuildPresences'] }),
    });

    expect(text).toMatch(/✓ Server Members Intent is on[^]*! Presence Intent is off, and a rule reads the members/u);
  });

  test('shows the steps, asks for the token, finds the server and writes both', async () => {
    const { ended, written, text, sandbox } = await setUp({ typed: ['Bot wrong', 'TOKEN'] });

    expect(ended).toEqual({ status: 'fulfilled', value: 0 });
    expect(written).toEqual([{ DISCORD_TOKEN: sandbox.token, DISCORD_GUILD_ID: sandbox.guildId }]);
    expect(text).toMatch(/1\. Open https:\/\/discord\.com\/developers\/applications[^]*Discord rejects this token/u);
    expect(text).toMatch(/the token belongs to the bot \w+[^]*Message Content Intent is on/u);
    expect(text).toContain('the bot has all permissions');
    expect(text).not.toContain(sandbox.token);
  });

  test('waits with an invitation until the bot has joined', async () => {
    const { ended, text } = await setUp({
      typed: ['TOKEN', '', ''],
      rules: ['send', 'role', 'off'],
      before: (sandbox) => sandbox.order('/discord/guild', { hasBot: false }),
      onInvitation: (sandbox) => sandbox.order('/discord/guild', { hasBot: true }),
    });

    expect(ended).toEqual({ status: 'fulfilled', value: 0 });
    expect(text).toContain('The bot is not in a server yet.');
    expect(text).toContain('&scope=bot+applications.commands');
    const bits = invited(text);
    expect([bits & SEND_MESSAGES, bits & MANAGE_ROLES, bits & ADD_REACTIONS]).toEqual([SEND_MESSAGES, MANAGE_ROLES, 0n]);
    expect(text).toMatch(/Manage Roles +discord\.addRole in role/u);
    expect(text).toContain('drag the role of the bot above');
  });

  test('counts rules whose streaming account is not connected yet', async () => {
    const { text } = await setUp({ typed: ['TOKEN'], rules: ['streams'] });

    expect(text).toMatch(/Attach Files +discord\.send in streams/u);
  });

  test('checks a configured bot and asks for nothing', async () => {
    const { ended, written, text } = await setUp({ typed: [], environment: configured });

    expect(ended).toEqual({ status: 'fulfilled', value: 0 });
    expect(written).toEqual([]);
    expect(text).toContain('the bot has all permissions');
  });

  test('asks for the server alone if only the token is set', async () => {
    const { written, sandbox } = await setUp({ typed: [], environment: ({ token }) => ({ DISCORD_TOKEN: token }) });

    expect(written).toEqual([{ DISCORD_GUILD_ID: sandbox.guildId }]);
  });

  test('reports a missing rules folder before it asks for the token', async () => {
    const { ended, text } = await setUp({ typed: ['TOKEN'], environment: () => ({ FANFARE_RULES: '/nowhere/rules' }) });

    expect(ended).toMatchObject({ reason: { file: '/nowhere/rules' } });
    expect(text).toBe('');
  });

  test('offers to try a typed token again if Discord does not answer', async () => {
    const nowhere = () => ({ DISCORD_API_URL: 'http://127.0.0.1:1/discord' });
    const { ended, written, text } = await setUp({ typed: ['TOKEN', '', 'stop'], environment: nowhere });

    expect(ended).toMatchObject({ reason: { fault: 'unreachable' } });
    expect(text.match(/Nothing is stored yet\. To try again/gu)).toHaveLength(2);
    expect(written).toEqual([]);
  });

  test('offers to try a typed token again if Discord does not answer with the servers', async () => {
    const { ended, written, text } = await setUp({
      typed: ['TOKEN', '', ''],
      before: (sandbox) =>
        sandbox.order('/faults', { platform: 'discord', route: '/users/@me/guilds', kind: 'status', status: 503, times: 1 }),
    });

    expect(ended).toMatchObject({ value: 0 });
    expect(text.match(/Nothing is stored yet\. To try again/gu)).toHaveLength(1);
    expect(written).toHaveLength(1);
  });

  test('rejects a wrong token in the environment with advice', async () => {
    const { ended } = await setUp({ typed: [], environment: ({ guildId }) => ({ DISCORD_TOKEN: 'wrong', DISCORD_GUILD_ID: guildId }) });

    expect(ended).toMatchObject({ reason: { message: expect.stringContaining('Remove it from .env') } });
  });
});

describe('the permissions of an invitation', () => {
  test('are known for every operation of the catalogue', () => {
    const operations = [...catalogue.keys()].filter((verb) => verb.startsWith('discord.'));

    expect(Object.keys(OPERATION_PERMISSIONS).toSorted()).toEqual(operations.toSorted());
  });

  test.for([
    ['discord.send, with: { channel: live, content: x, mention: [Live] }', ['Mention Everyone']],
    ['discord.send, with: { channel: live, content: x, thread: news }', ['Send Messages in Threads']],
    ['discord.send, with: { channel: live, files: ["https://a.test/a.png"] }', ['Attach Files']],
    ['discord.thread, with: { channel: live, name: x }', ['Create Public Threads', 'Send Messages in Threads']],
    ['discord.delete, with: { message: live/1 }', ['Manage Messages']],
    ['discord.removeRole, with: { user: "1", role: Live }', ['Manage Roles']],
  ] as const)('%s', ([step, further]) => {
    const needs = neededPermissions({ rules: [ruleOf(`id: r\nwhen: { every: 1m }\nthen: [{ do: ${step} }]`)], hasAssistant: false });

    expect(needs.map(({ permission }) => permission)).toEqual([
      'View Channel',
      'Send Messages',
      'Embed Links',
      'Read Message History',
      ...further,
    ]);
  });

  test('include threads with an assistant', () => {
    const needs = neededPermissions({ rules: [], hasAssistant: true });

    expect(needs.map(({ permission }) => permission)).toContain('Send Messages in Threads');
  });
});
