import { expect, test } from 'vitest';
import { discord } from '#adapters/discord/index.ts';
import { createChannelChecks, type ChannelChecks } from '#src/admin/channel-checks/channel-checks.ts';
import { requirementsOf } from '#src/admin/channel-checks/required-permissions.ts';
import { createLog } from '#src/log.ts';
import type { Rule } from '#src/rules/rule.ts';
import { startDiscordSandbox, type DiscordSandbox } from '../../support/discord-sandbox.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { ruleOf } from '../../support/rule-language.ts';
import { expectSettled } from '../../support/settled.ts';

const NEWS = `
id: news
when: { every: 1m }
vars: { where: live }
then:
  - { do: discord.send, with: { channel: "\${{ vars.where }}", embed: { title: x, pictures: keep } } }
  - { do: discord.send, with: { channel: questions, content: x } }
  - { do: discord.send, with: { channel: "\${{ string(now) }}", content: x } }
`;
const QUIET = `
id: quiet
when: { every: 1m }
then: [{ do: discord.send, with: { channel: general, content: x } }]
`;

const PING = `
id: ping
when: { every: 1m }
then:
  - { do: discord.send, with: { channel: live, mention: [Liv, "\${{ string(now) }}"], content: x } }
  - { do: discord.send, with: { channel: livee, content: x } }
  - { do: discord.send, with: { channel: live, mention: [Live, everyone, "1202584131993600003"], content: x } }
`;

interface Ground extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly sandbox: DiscordSandbox;
  readonly checks: ChannelChecks;
  readonly rules: Rule[];
  readonly lines: string[];
  readonly changes: () => number;
}

async function open(): Promise<Ground> {
  const clock = new ManualClock();
  const sandbox = await startDiscordSandbox({ clock });
  const { token, guildId } = sandbox;
  const lines: string[] = [];
  let changes = 0;
  const rules = [ruleOf(NEWS), ruleOf(QUIET)];
  const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });
  const platform = discord({ token, guildId, apiUrl: sandbox.sandbox.environment['DISCORD_API_URL'], clock });
  const checks = createChannelChecks({ servers: [platform], rules: () => rules, onChange: () => changes++, clock, log });
  return { clock, sandbox, checks, rules, lines, changes: () => changes, [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose]() };
}

test('a rule has requirements for channels with fixed names', async () => {
  await using ground = await open();
  const [news] = ground.rules;

  expect(news && requirementsOf(news)).toMatchObject([
    { channel: 'live', needs: ['View Channel', 'Send Messages', 'Embed Links', 'Attach Files'] },
    { channel: 'questions', needs: ['View Channel', 'Send Messages'] },
  ]);
});

test('a role and a channel that do not exist are warnings', async () => {
  await using ground = await open();
  const ping = ruleOf(PING);
  ground.rules.splice(0, 2, ping);

  await ground.checks.check();

  expect(ground.checks.diagnosticsOf(ping).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The Discord server has no role "Liv"\./),
    expect.stringMatching(/^The Discord server has no channel "livee" that the bot can see\. It has: #stream-news/),
  ]);
});

test('a warning points at the channel or role in the file, even if a constant names it', async () => {
  await using ground = await open();
  const constant = ruleOf(`
id: constant
when: { every: 1m }
vars: { where: nowhere }
then:
  - { do: discord.send, with: { channel: live, content: x } }
  - do: discord.send
    with: { content: x, channel: "\${{ vars.where }}" }
  - do: discord.addRole
    with: { user: "900000000000000001", role: nobody }
quiet: { from: "22:00", to: "08:00", timezone: UTC, then: [{ do: discord.send, with: { channel: elsewhere, content: x } }] }
`);
  ground.rules.splice(0, 2, constant);

  await ground.checks.check();

  expect(ground.checks.diagnosticsOf(constant).map(({ line, column, message }) => [line, column, /"(.*?)"/u.exec(message)?.[1]])).toEqual([
    [8, 34, 'nowhere'],
    [10, 47, 'nobody'],
    [11, 97, 'elsewhere'],
  ]);
});

test('a missing permission is a warning, logged once with its rules until it is granted', async () => {
  await using ground = await open();
  const [news, quiet] = ground.rules;
  if (!news || !quiet) throw new Error('there are two rules');
  await ground.sandbox.order('/discord/permissions', { channel: 'live', deny: ['AttachFiles'] });

  await ground.checks.check();
  await ground.checks.check();

  const lacking =
    'Fanfare does not have the permission Attach Files in #live: the channel denies it to its role "Fanfare bot". Allow it there for its role "Fanfare bot".';
  const untagged = '#questions requires a tag for each post: set tags. It has: Open, Solved, Official.';
  expect(ground.checks.diagnosticsOf(news).map(({ severity, message }) => [severity, message])).toEqual([
    ['warning', lacking],
    ['warning', untagged],
  ]);
  expect(ground.checks.diagnosticsOf(quiet)).toEqual([]);
  expect(ground.lines.filter((line) => / warn /.test(line))).toEqual([
    expect.stringMatching(/Attach Files.* rules=\["news"\]/),
    expect.stringMatching(/#questions.* rules=\["news"\]/),
  ]);
  expect(ground.changes()).toBe(1);

  await ground.sandbox.order('/discord/permissions', { channel: 'live' });
  await ground.checks.check();

  expect(ground.checks.diagnosticsOf(news).map(({ message }) => message)).toEqual([untagged]);
  expect(ground.lines.at(-1)).toContain('fixed: Fanfare does not have the permission Attach Files');
  expect(ground.changes()).toBe(2);
});

test('after a failed request, the last warnings stay', async () => {
  await using ground = await open();
  await ground.checks.check();
  ground.sandbox.sandbox.faults.add({ platform: 'discord', kind: 'status', status: 503 });

  await ground.checks.check();

  expect(ground.rules[0] && ground.checks.diagnosticsOf(ground.rules[0])).toHaveLength(1);
  expect(ground.changes()).toBe(1);
});

test('the checks repeat at an interval and soon after a reload', async () => {
  await using ground = await open();
  const stopping = new AbortController();
  const running = ground.checks.run(stopping.signal);
  await expectSettled(ground.changes, 1, () => ground.clock.advance(0));

  await ground.sandbox.order('/discord/removals', { channel: 'general' });
  await ground.clock.advance(31 * 60_000);
  await expectSettled(ground.changes, 2, () => ground.clock.advance(0));
  await ground.sandbox.order('/discord/removals', { channel: 'live' });
  ground.checks.rulesChanged();
  await expectSettled(
    async () => (await ground.clock.advance(3_000), ground.changes()),
    3,
    () => ground.clock.advance(3_000),
  );

  stopping.abort();
  await ground.clock.advance(1_000);
  await running;
});

test('a question that everyone sees is a warning, and so is a role that cannot answer it', async () => {
  await using ground = await open();
  const ask = (channel: string, roles: string): string =>
    `  - { do: discord.ask, with: { channel: ${channel}, content: x, choices: [yes, no]${roles} } }`;
  const steps = [
    ask('moderators', ''),
    ask('live', ''),
    ask('general', ', roles: [Moderator]'),
    ask('stream-news', ', roles: ["@everyone"]'),
    ask('moderators', ', roles: [Moderatro]'),
  ];
  const asking = ruleOf(`id: asking\nwhen: { every: 1m }\nthen:\n${steps.join('\n')}\n`);
  ground.rules.splice(0, 2, asking);

  await ground.checks.check();

  expect(ground.checks.diagnosticsOf(asking).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Everyone in the server sees #live, .* with the permission operate can answer\./),
    expect.stringMatching(/^Everyone in the server sees #general, .* with the roles "Moderator" can answer\./),
    expect.stringMatching(/^The Discord server has no role "Moderatro"/),
  ]);
});

test('a role that the bot cannot add, and one that does not exist, are warnings', async () => {
  await using ground = await open();
  const roles = ruleOf(`
id: roles
when: { every: 1m }
then:
  - { do: discord.addRole, with: { user: ada, role: Liv } }
  - { do: discord.removeRole, with: { user: ada, role: Fanfare bot } }
  - { do: discord.addRole, with: { user: ada, role: Live } }
`);
  ground.rules.splice(0, 2, roles);

  await ground.checks.check();

  expect(ground.checks.diagnosticsOf(roles).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The Discord server has no role "Liv"/),
    expect.stringMatching(/^The role "Fanfare bot" (belongs to an integration|is not below the highest role of Fanfare)/),
  ]);
});

test('a list of members that Discord withholds is a warning with the intent, and so is its unknown role', async () => {
  await using ground = await open();
  const members = ruleOf(`
id: members
when: { every: 5m, watch: discord.getMembers, with: { role: Live, pages: all } }
then:
  - { id: all, do: discord.getMembers, with: { role: Liv } }
`);
  ground.rules.splice(0, 2, members);

  await ground.checks.check();
  const allowed = ground.checks.diagnosticsOf(members).map(({ message }) => message);
  await ground.sandbox.order('/discord/gateway', { do: 'disallow', intents: ['GuildMembers'] });
  await ground.checks.check();

  expect(allowed).toEqual([expect.stringMatching(/^The Discord server has no role "Liv"/)]);
  expect(ground.checks.diagnosticsOf(members).map(({ line, column, message }) => [line, column, message])).toEqual([
    [5, expect.any(Number), expect.stringContaining('"Liv"')],
    [3, expect.any(Number), expect.stringContaining('turn on Server Members Intent')],
  ]);
});

test('the status of members needs the Presence Intent', async () => {
  await using ground = await open();
  const members = ruleOf(`
id: online
when: { every: 5m, watch: discord.getMembers, with: { status: online } }
then: [{ do: discord.send, with: { channel: live, content: hi } }]
`);
  ground.rules.splice(0, 2, members);

  await ground.checks.check();
  const allowed = ground.checks.diagnosticsOf(members);
  await ground.sandbox.order('/discord/gateway', { do: 'disallow', intents: ['GuildPresences'] });
  await ground.checks.check();

  expect(allowed).toEqual([]);
  expect(ground.checks.diagnosticsOf(members)).toMatchObject([{ message: expect.stringContaining('turn on Presence Intent') }]);
});

test('a delivery that contradicts the last check starts a check, at most once a minute', async () => {
  await using ground = await open();
  const [, quiet] = ground.rules;
  if (!quiet) throw new Error('there are two rules');
  const ending = new AbortController();
  const running = ground.checks.run(ending.signal);
  const problems = async (count: number): Promise<void> => {
    await expect.poll(() => ground.checks.diagnosticsOf(quiet)).toHaveLength(count);
  };
  await expectSettled(ground.changes, 1, () => ground.clock.advance(0));
  await ground.sandbox.order('/discord/permissions', { channel: 'general', deny: ['SendMessages'] });
  const failed = { rule: 'quiet', do: 'discord.send', state: 'failed', error: { fault: 'forbidden' } } as const;

  ground.checks.deliveryEnded({ ...failed, do: 'social.createPost' });
  ground.checks.deliveryEnded(failed);
  await ground.clock.advance(59_000);
  expect(ground.checks.diagnosticsOf(quiet)).toEqual([]);
  await ground.clock.advance(1_000);
  await problems(1);
  await ground.sandbox.order('/discord/permissions', { channel: 'general' });
  ground.checks.deliveryEnded(failed);
  ground.checks.deliveryEnded({ ...failed, state: 'sent', error: undefined });
  await ground.clock.advance(60_000);
  await problems(0);

  ending.abort();
  await running;
});

test('a server that does not have the bot is one problem of its rules', async () => {
  await using ground = await open();
  const [news] = ground.rules;
  const { token, sandbox } = ground.sandbox;
  const apiUrl = sandbox.environment['DISCORD_API_URL'];
  const platform = discord({ token, guildId: '999999999999999999', apiUrl, clock: ground.clock });
  const log = createLog({ level: 'info', secrets: [], write: (line) => void ground.lines.push(line), color: false });
  const checks = createChannelChecks({
    servers: [platform],
    rules: () => ground.rules,
    onChange: () => undefined,
    clock: ground.clock,
    log,
  });

  await checks.check();

  await expect(platform.findServer()).rejects.toMatchObject({ fault: 'missing', refusesAccount: true });
  expect(news && checks.diagnosticsOf(news).map(({ message }) => message)).toEqual([
    'Discord refused with 404 (Unknown Guild, code 10004). The bot is not in this server, or the server id is wrong.',
  ]);
  expect(ground.lines.filter((line) => line.includes('Unknown Guild'))).toHaveLength(1);
});
