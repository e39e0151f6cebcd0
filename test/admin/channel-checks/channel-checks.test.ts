import { expect, test } from 'vitest';
import { discord } from '#adapters/discord/index.ts';
import { createChannelChecks, type ChannelChecks } from '#src/admin/channel-checks/channel-checks.ts';
import { requirementsOf } from '#src/admin/channel-checks/required-permissions.ts';
import { PlatformError } from '#src/errors.ts';
import { createLog, silentLog } from '#src/log.ts';
import { NO_LISTS, type ListEntry } from '#src/rules/lists.ts';
import type { Rule } from '#src/rules/rule.ts';
import { startDiscordSandbox, type DiscordSandbox } from '../../support/discord-sandbox.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { check, ruleOf } from '../../support/rule-language.ts';
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

const WITHOUT_LISTS = { current: async () => NO_LISTS };

interface Fixture extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly sandbox: DiscordSandbox;
  readonly checks: ChannelChecks;
  readonly rules: Rule[];
  /** The entries of each list. */
  readonly entries: ListEntry[];
  readonly lines: string[];
  readonly changes: () => number;
}

async function open(): Promise<Fixture> {
  const clock = new ManualClock();
  const sandbox = await startDiscordSandbox({ clock });
  const { token, guildId } = sandbox;
  const lines: string[] = [];
  let changes = 0;
  const rules = [ruleOf(NEWS), ruleOf(QUIET)];
  const entries: ListEntry[] = [];
  const lists = { current: async () => ({ ...NO_LISTS, entries: () => entries }) };
  const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });
  const platform = discord({ token, guildId, apiUrl: sandbox.sandbox.environment['DISCORD_API_URL'], clock });
  const checks = createChannelChecks({ servers: [platform], rules: () => rules, lists, onChange: () => changes++, clock, log });
  return {
    clock,
    sandbox,
    checks,
    rules,
    entries,
    lines,
    changes: () => changes,
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

test('a rule has requirements for channels with fixed names', async () => {
  await using fixture = await open();
  const [news] = fixture.rules;

  expect(news && requirementsOf(news)).toMatchObject([
    { channel: 'live', needs: ['View Channel', 'Send Messages', 'Embed Links', 'Attach Files'] },
    { channel: 'questions', needs: ['View Channel', 'Send Messages'] },
  ]);
});

const TEAM = `
id: team
when: { every: 1m, people: team }
then: [{ do: discord.send, with: { channel: "\${{ item.person.channel }}", content: x } }]
`;

test('the channels of the entries of a list are checked, except those of other servers', async () => {
  await using fixture = await open();
  const team = check(TEAM, { lists: { team: null } }).rules[0];
  if (!team) throw new Error('the rule has errors');
  fixture.rules.splice(0, 2, team);
  const entry = (id: string, fields: ListEntry['fields'], server?: string): ListEntry => ({ id, list: 'team', server, fields });
  fixture.entries.push(
    entry('ada', { channel: 'live' }),
    entry('grace', { channel: 'gone' }),
    entry('linus', { channel: 'gone' }),
    entry('maria', {}),
    entry('lea', { channel: 'elsewhere' }, '7'),
  );

  await fixture.checks.check();

  expect(fixture.checks.diagnosticsOf(team)).toEqual([
    expect.objectContaining({
      line: 4,
      message: expect.stringMatching(/^grace and 1 more in the list team: The Discord server has no channel "gone"/u),
    }),
  ]);
});

test('a rule that names the channel of an entry does not name the entry', async () => {
  await using fixture = await open();
  const team = check(TEAM, { lists: { team: null } }).rules[0];
  if (!team) throw new Error('the rule has errors');
  const gone = ruleOf(`{ id: gone, when: { every: 1m }, then: [{ do: discord.send, with: { channel: gone, content: x } }] }`);
  fixture.rules.splice(0, 2, team, gone);
  fixture.entries.push({ id: 'grace', list: 'team', server: undefined, fields: { channel: 'gone' } });

  await fixture.checks.check();

  const [ofEntry, ofRule] = [team, gone].map((rule) => fixture.checks.diagnosticsOf(rule).map(({ message }) => message));
  expect(ofEntry).toEqual([expect.stringMatching(/^grace in the list team: The Discord server has no channel "gone"/u)]);
  expect(ofRule).toEqual([expect.stringMatching(/^The Discord server has no channel "gone"/u)]);
});

test('a role and a channel that do not exist are warnings', async () => {
  await using fixture = await open();
  const ping = ruleOf(PING);
  fixture.rules.splice(0, 2, ping);

  await fixture.checks.check();

  expect(fixture.checks.diagnosticsOf(ping).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The Discord server has no role "Liv"\./),
    expect.stringMatching(/^The Discord server has no channel "livee" that the bot can see\. It has: #live, #lounge/),
  ]);
});

test('a warning points at the channel or role in the file, even if a constant names it', async () => {
  await using fixture = await open();
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
  fixture.rules.splice(0, 2, constant);

  await fixture.checks.check();

  expect(fixture.checks.diagnosticsOf(constant).map(({ line, column, message }) => [line, column, /"(.*?)"/u.exec(message)?.[1]])).toEqual([
    [8, 34, 'nowhere'],
    [10, 47, 'nobody'],
    [11, 97, 'elsewhere'],
  ]);
});

test('a missing permission is a warning, logged once with its rules until it is granted', async () => {
  await using fixture = await open();
  const [news, quiet] = fixture.rules;
  if (!news || !quiet) throw new Error('there are two rules');
  await fixture.sandbox.order('/discord/permissions', { channel: 'live', deny: ['AttachFiles'] });

  await fixture.checks.check();
  await fixture.checks.check();

  const lacking =
    'Fanfare does not have the permission Attach Files in #live: the channel denies it to its role "Fanfare bot". Allow it there for its role "Fanfare bot".';
  const untagged = '#questions requires a tag for each post: set tags. It has: Open, Solved, Official.';
  expect(fixture.checks.diagnosticsOf(news).map(({ severity, message }) => [severity, message])).toEqual([
    ['warning', lacking],
    ['warning', untagged],
  ]);
  expect(fixture.checks.diagnosticsOf(quiet)).toEqual([]);
  expect(fixture.lines.filter((line) => / warn /.test(line))).toEqual([
    expect.stringMatching(/Attach Files.* rules=\["news"\]/),
    expect.stringMatching(/#questions.* rules=\["news"\]/),
  ]);
  expect(fixture.changes()).toBe(1);

  await fixture.sandbox.order('/discord/permissions', { channel: 'live' });
  await fixture.checks.check();

  expect(fixture.checks.diagnosticsOf(news).map(({ message }) => message)).toEqual([untagged]);
  expect(fixture.lines.at(-1)).toContain('fixed: Fanfare does not have the permission Attach Files');
  expect(fixture.changes()).toBe(2);
});

test('after a failed request, the last warnings stay', async () => {
  await using fixture = await open();
  await fixture.checks.check();
  fixture.sandbox.sandbox.faults.add({ platform: 'discord', kind: 'status', status: 503 });

  await fixture.checks.check();

  expect(fixture.rules[0] && fixture.checks.diagnosticsOf(fixture.rules[0])).toHaveLength(1);
  expect(fixture.changes()).toBe(1);
});

test('the checks repeat at an interval and soon after a reload', async () => {
  await using fixture = await open();
  const stopping = new AbortController();
  const running = fixture.checks.run(stopping.signal);
  await expectSettled(fixture.changes, 1, () => fixture.clock.advance(0));

  await fixture.sandbox.order('/discord/removals', { channel: 'general' });
  await fixture.clock.advance(31 * 60_000);
  await expectSettled(fixture.changes, 2, () => fixture.clock.advance(0));
  await fixture.sandbox.order('/discord/removals', { channel: 'live' });
  fixture.checks.rulesChanged();
  await expectSettled(
    async () => (await fixture.clock.advance(3_000), fixture.changes()),
    3,
    () => fixture.clock.advance(3_000),
  );

  stopping.abort();
  await fixture.clock.advance(1_000);
  await running;
});

test('a server that could not be read is read again after a minute, alone', async () => {
  const clock = new ManualClock();
  const stopping = new AbortController();
  const readMs: number[] = [];
  const findServer = async (): Promise<void> => {
    readMs.push(clock.nowMs());
    if (readMs.length < 3) throw new PlatformError('discord: it did not answer', { platform: 'discord', fault: 'unreachable' });
  };
  const examined: string[] = [];
  const examine = async ({ account }: { readonly account: string }) => {
    examined.push(account);
    return account === 'club' ? 'The club lacks a permission.' : undefined;
  };
  const club = { account: 'club', examine, findServer: async () => undefined };
  const servers = [{ account: 'discord', examine, findServer }, club];
  const accounts = { discord: { all: ['discord', 'club'], defaults: [] } };
  const rules = ['discord', 'club'].flatMap(
    (as) =>
      check(`{ id: rule, when: { every: 1m }, then: [{ do: discord.send, as: ${as}, with: { channel: live, content: x } }] }`, { accounts })
        .rules,
  );
  let changes = 0;
  const checks = createChannelChecks({
    servers,
    rules: () => rules,
    lists: WITHOUT_LISTS,
    onChange: () => changes++,
    clock,
    log: silentLog,
  });
  const running = checks.run(stopping.signal);

  for (let minute = 0; minute < 10; minute++) await clock.advance(60_000);

  expect(readMs.map((ms) => ms - (readMs[0] ?? 0))).toEqual([0, 60_000, 120_000]);
  // All at the start, and the server that could be read after two minutes.
  expect(examined).toEqual(['discord', 'club', 'discord']);
  expect(changes).toBe(1);
  stopping.abort();
  await clock.advance(0);
  await running;
});

test('a question that everyone sees is a warning, and so is a role that cannot answer it', async () => {
  await using fixture = await open();
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
  fixture.rules.splice(0, 2, asking);

  await fixture.checks.check();

  expect(fixture.checks.diagnosticsOf(asking).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Everyone in the server sees #live, .* with the permission operate can answer\./),
    expect.stringMatching(/^Everyone in the server sees #general, .* with the roles "Moderator" can answer\./),
    expect.stringMatching(/^The Discord server has no role "Moderatro"/),
  ]);
});

test('a role that the bot cannot add, and one that does not exist, are warnings', async () => {
  await using fixture = await open();
  const roles = ruleOf(`
id: roles
when: { every: 1m }
then:
  - { do: discord.addRole, with: { user: ada, role: Liv } }
  - { do: discord.removeRole, with: { user: ada, role: Fanfare bot } }
  - { do: discord.addRole, with: { user: ada, role: Live } }
`);
  fixture.rules.splice(0, 2, roles);

  await fixture.checks.check();

  expect(fixture.checks.diagnosticsOf(roles).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The Discord server has no role "Liv"/),
    expect.stringMatching(/^The role "Fanfare bot" (belongs to an integration|is not below the highest role of Fanfare)/),
  ]);
});

test('a list of members that Discord withholds is a warning with the intent, and so is its unknown role', async () => {
  await using fixture = await open();
  const members = ruleOf(`
id: members
when: { every: 5m, watch: discord.getMembers, with: { role: Live, pages: all } }
then:
  - { id: all, do: discord.getMembers, with: { role: Liv } }
`);
  fixture.rules.splice(0, 2, members);

  await fixture.checks.check();
  const allowed = fixture.checks.diagnosticsOf(members).map(({ message }) => message);
  await fixture.sandbox.order('/discord/gateway', { do: 'disallow', intents: ['GuildMembers'] });
  await fixture.checks.check();

  expect(allowed).toEqual([expect.stringMatching(/^The Discord server has no role "Liv"/)]);
  expect(fixture.checks.diagnosticsOf(members).map(({ line, column, message }) => [line, column, message])).toEqual([
    [5, expect.any(Number), expect.stringContaining('"Liv"')],
    [3, expect.any(Number), expect.stringContaining('turn on Server Members Intent')],
  ]);
});

test('the status of members needs the Presence Intent', async () => {
  await using fixture = await open();
  const members = ruleOf(`
id: online
when: { every: 5m, watch: discord.getMembers, with: { status: online } }
then: [{ do: discord.send, with: { channel: live, content: hi } }]
`);
  fixture.rules.splice(0, 2, members);

  await fixture.checks.check();
  const allowed = fixture.checks.diagnosticsOf(members);
  await fixture.sandbox.order('/discord/gateway', { do: 'disallow', intents: ['GuildPresences'] });
  await fixture.checks.check();

  expect(allowed).toEqual([]);
  expect(fixture.checks.diagnosticsOf(members)).toMatchObject([{ message: expect.stringContaining('turn on Presence Intent') }]);
});

test('a delivery that contradicts the last check starts a check, at most once a minute', async () => {
  await using fixture = await open();
  const [, quiet] = fixture.rules;
  if (!quiet) throw new Error('there are two rules');
  const ending = new AbortController();
  const running = fixture.checks.run(ending.signal);
  const problems = async (count: number): Promise<void> => {
    await expect.poll(() => fixture.checks.diagnosticsOf(quiet)).toHaveLength(count);
  };
  await expectSettled(fixture.changes, 1, () => fixture.clock.advance(0));
  await fixture.sandbox.order('/discord/permissions', { channel: 'general', deny: ['SendMessages'] });
  const failed = { rule: 'quiet', do: 'discord.send', state: 'failed', error: { fault: 'forbidden' } } as const;

  fixture.checks.deliveryEnded({ ...failed, do: 'social.createPost' });
  fixture.checks.deliveryEnded(failed);
  await fixture.clock.advance(59_000);
  expect(fixture.checks.diagnosticsOf(quiet)).toEqual([]);
  await fixture.clock.advance(1_000);
  await problems(1);
  await fixture.sandbox.order('/discord/permissions', { channel: 'general' });
  fixture.checks.deliveryEnded(failed);
  fixture.checks.deliveryEnded({ ...failed, state: 'sent', error: undefined });
  await fixture.clock.advance(60_000);
  await problems(0);

  ending.abort();
  await running;
});

test('a server that does not have the bot is one problem of its rules', async () => {
  await using fixture = await open();
  const [news] = fixture.rules;
  const { token, sandbox } = fixture.sandbox;
  const apiUrl = sandbox.environment['DISCORD_API_URL'];
  const platform = discord({ token, guildId: '999999999999999999', apiUrl, clock: fixture.clock });
  const log = createLog({ level: 'info', secrets: [], write: (line) => void fixture.lines.push(line), color: false });
  const checks = createChannelChecks({
    servers: [platform],
    rules: () => fixture.rules,
    lists: WITHOUT_LISTS,
    onChange: () => undefined,
    clock: fixture.clock,
    log,
  });

  await checks.check();

  await expect(platform.findServer()).rejects.toMatchObject({ fault: 'missing', refusesAccount: true });
  expect(news && checks.diagnosticsOf(news).map(({ message }) => message)).toEqual([
    'Discord refused with 404 (Unknown Guild, code 10004). The bot is not in this server, or the server id is wrong.',
  ]);
  expect(fixture.lines.filter((line) => line.includes('Unknown Guild'))).toHaveLength(1);
});
