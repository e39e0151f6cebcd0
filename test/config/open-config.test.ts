import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '#src/app/accounts.ts';
import { openConfig } from '#src/config/open-config.ts';
import { ZONE_ERROR } from '#src/clients/operation/zone-named.ts';
import { secretKeys } from '#adapters/account.ts';
import { DEFINITIONS, secretsOf } from '#src/config/accounts.ts';
import { configOfEnvironment, type Config } from '#src/config/config.ts';
import { printFailure } from '#src/cli/print-failure.ts';
import { ConfigError } from '#src/errors.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Variables = Readonly<Record<string, string>>;

const DISCORD = { DISCORD_TOKEN: 'bot-token-0123', DISCORD_GUILD_ID: '1202584131993600001' };
const TWITCH = { TWITCH_CLIENT_ID: 'id', TWITCH_CLIENT_SECRET: 'twitch-secret' };

/** The configuration with this `fanfare.yaml`. */
function open(source: string | Uint8Array, variables: Variables = {}, name = 'fanfare.yaml'): Config {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, name), source);
  return openConfig({ ...variables, FANFARE_RULES: join(folder.path, 'rules') });
}

/** The printed errors, without the folder. */
function errorLines(source: string | Uint8Array, variables: Variables = {}, name?: string): readonly string[] {
  return linesOf(printed(source, variables, name));
}

function linesOf(output: string): readonly string[] {
  const lines = output.split('\n');
  // The excerpts have a test below.
  const shown = lines.filter((line) => !/^\d+ \| |^ *\^$|^$/u.test(line));
  return shown.map((line) => line.trim().replace(/^(fanfare\.ya?ml:\d+:\d+) error (.*)$/u, 'error $1: $2'));
}

/** The complete output of a command with this file. */
function printed(source: string | Uint8Array, variables: Variables = {}, name?: string): string {
  return printedBy(() => open(source, variables, name));
}

/** What a command prints that cannot read its configuration. */
function printedBy(read: () => Config): string {
  const lines: string[] = [];
  try {
    read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const out = { color: false, print: () => undefined, paint: (_: unknown, text: string) => text };
    printFailure(error, { ...out, printError: (line: string) => void lines.push(line.replace(/\S*\/(?=fanfare\.)/u, '')) });
  }
  return lines.join('\n');
}

describe('without a file', () => {
  test('the configuration is that of the environment', () => {
    using folder = temporaryFolder();
    const variables = { ...DISCORD, FANFARE_RULES: join(folder.path, 'rules') };

    expect(openConfig(variables)).toEqual(configOfEnvironment(variables));
  });

  test('a file with only comments counts as absent', () => {
    const { rulesDirectory: _, ...config } = open('# later\n\n  # accounts:\n', DISCORD);

    expect(configOfEnvironment(DISCORD)).toMatchObject(config);
  });

  test('a file with another extension is an error', () => {
    expect(errorLines('defaults: {}', {}, 'fanfare.yml')).toEqual([
      'error: fanfare.yml: Fanfare does not read this file; rename it to fanfare.yaml',
    ]);
  });
});

describe('a file that an interrupted copy or an unmounted volume left', () => {
  test.for([
    ['no bytes', ''],
    ['empty lines', '\n \r\n'],
    ['a byte order mark alone', '\uFEFF'],
  ] as const)('with %s is an error, because its accounts and limits are unknown', ([, content]) => {
    expect(errorLines(content, DISCORD)).toEqual([
      'error: fanfare.yaml: the file is empty',
      'restore it from a backup, or delete it if you do not need it',
    ]);
  });

  test.for([
    ['nowhere.yaml', ['error: fanfare.yaml: the link leads to a file that does not exist']],
    ['fanfare.yaml', ['error: fanfare.yaml: the file cannot be read', 'its links form a loop']],
  ] as const)('as a link to %s is an error', ([target, expected]) => {
    using folder = temporaryFolder();
    symlinkSync(target, join(folder.path, 'fanfare.yaml'));

    expect(linesOf(printedBy(() => openConfig({ ...DISCORD, FANFARE_RULES: join(folder.path, 'rules') })))).toEqual(expected);
  });
});

describe('accounts', () => {
  test('are added to those of the environment, which has their secrets', () => {
    const { accounts, sandbox } = open(
      `accounts:
  alt: { platform: twitch, clientId: abc, clientSecret: \${ALT_SECRET} }
  kick: { platform: kick, clientId: def, clientSecret: "\${KICK_TOO}" }
  local:
    platform: assistant
    url: http://localhost:11434/v1/
    model: llama
    apiKey: \${LOCAL_KEY}
  club: { platform: sandbox, url: 'http://127.0.0.1:8081/social/api', token: \${CLUB} }
`,
      { ...TWITCH, ALT_SECRET: 'alt-secret', KICK_TOO: 'kick-secret', LOCAL_KEY: 'key', CLUB: 'club-token' },
    );

    expect(sandbox).toBe('none');
    expect(accounts).toMatchObject([
      { account: 'twitch', clientSecret: 'twitch-secret' },
      { account: 'alt', platform: 'twitch', clientId: 'abc', clientSecret: 'alt-secret', apiUrl: 'https://api.twitch.tv/helix' },
      { account: 'kick', platform: 'kick', clientSecret: 'kick-secret' },
      { account: 'local', platform: 'assistant', url: 'http://localhost:11434/v1', model: 'llama', apiKey: 'key' },
      { account: 'club', platform: 'sandbox', token: 'club-token' },
    ]);
    expect(secretsOf({ accounts })).toEqual(['twitch-secret', 'alt-secret', 'kick-secret', 'key', 'club-token']);
  });

  test('are enough without accounts in the environment', () => {
    const { sandbox } = open('accounts: { alt: { platform: kick, clientId: a, clientSecret: ${S} } }', { S: 'secret' });

    expect(sandbox).toBe('none');
  });

  test('of Discord are servers of one bot, each with its zone', () => {
    const { servers, accounts } = open(
      `accounts:
  berlin: { platform: discord, server: 1202584131993600007, zone: Europe/Berlin }
  tokyo: { platform: discord, server: '1202584131993600009' }
discord: { zone: tokyo }
`,
      DISCORD,
    );

    expect(servers).toEqual([
      { account: 'discord', id: '1202584131993600001', zone: 'Asia/Tokyo' },
      { account: 'berlin', id: '1202584131993600007', zone: 'Europe/Berlin' },
      { account: 'tokyo', id: '1202584131993600009', zone: 'Asia/Tokyo' },
    ]);
    expect(new Set(accounts.map((account) => ('token' in account ? account.token : '')))).toEqual(new Set(['bot-token-0123']));
  });

  test('can name all servers, so that the environment needs only the token', () => {
    const { servers } = open("accounts: { berlin: { platform: discord, server: '1202584131993600007' } }", { DISCORD_TOKEN: 'bot-token' });

    expect(servers).toEqual([{ account: 'berlin', id: '1202584131993600007', zone: 'UTC' }]);
  });
});

describe('defaults', () => {
  const BERLIN = "accounts: { berlin: { platform: discord, server: '1202584131993600007' } }\n";

  test('are the accounts of rules without account', () => {
    const config = open(`${BERLIN}defaults: { discord: [berlin, discord], streaming: twitch }`, { ...DISCORD, ...TWITCH });

    expect(accountsOf(config)).toMatchObject({
      discord: { all: ['discord', 'berlin'], defaults: ['berlin', 'discord'] },
      streaming: { defaults: ['twitch'] },
    });
  });

  test('are empty if several accounts fit and the file has no default', () => {
    expect(accountsOf(open(BERLIN, DISCORD))).toMatchObject({ discord: { all: ['discord', 'berlin'], defaults: [] } });
  });

  test('can name accounts of the sandbox', () => {
    expect(accountsOf(open('defaults: { streaming: kick }'))).toMatchObject({ streaming: { defaults: ['kick'] } });
  });
});

test('the section discord has the settings of the bot', () => {
  const { discord } = open(
    `discord:
  zone: Europe/Berlin
  roles: { look: '@everyone', post: [Editor, '1202584131993600003'], operate: [] }
  questions: { person: 5 per 30m }
  queue: ['18:30', '09:00']
  shards: auto
  gateway: false
  publicKey: ${'0f'.repeat(32)}
`,
    DISCORD,
  );

  expect(discord).toEqual({
    servers: 'listed',
    zone: 'Europe/Berlin',
    roles: { look: ['@everyone'], post: ['Editor', '1202584131993600003'], operate: [] },
    questions: { person: { most: 5, withinMs: 1_800_000 }, server: { most: 200, withinMs: 3_600_000 } },
    queueTimes: ['09:00', '18:30'],
    shards: 'auto',
    gateway: false,
    publicKey: '0f'.repeat(32),
  });
});

test.for([
  ['servers: any', { most: 500, withinMs: 3_600_000 }],
  ['servers: listed', undefined],
  ['servers: any, questions: { all: 50 per 1d }', { most: 50, withinMs: 86_400_000 }],
  ['questions: { all: 50 per 1d }', { most: 50, withinMs: 86_400_000 }],
] as const)('%s: the quota of all servers is %o', ([section, all]) => {
  expect(open(`discord: { ${section} }\n`, DISCORD).discord.questions.all).toEqual(all);
});

test.for([
  [
    'the servers of the file',
    "{ servers: listed }\naccounts: { berlin: { platform: discord, server: '1202584131993600007' } }",
    ['1202584131993600007'],
  ],
  ['no others if the file names none', '{ servers: listed }', []],
  ['all servers of the bot with servers: any', '{ servers: any }', 'any'],
] as const)('beside its own server, the account discord sends to %s', ([, section, otherServers]) => {
  const { accounts } = open(`discord: ${section}\n`, DISCORD);

  expect(accounts.find(({ account }) => account === 'discord')).toMatchObject({ otherServers });
});

describe('mistakes are printed with location and hint', () => {
  const SECRET = 'oauth:very-secret-1';

  test.for<readonly [promise: string, source: string, variables: Variables, lines: readonly string[]]>([
    [
      'a secret in the file',
      `accounts:\n  alt: { platform: twitch, clientId: a, clientSecret: "${SECRET}" }`,
      {},
      ['error fanfare.yaml:2:55: accounts.alt.clientSecret: secrets are environment variables: write ${NAME} here, and NAME=… in .env'],
    ],
    [
      'a variable that is not set',
      'accounts:\n  alt: { platform: kick, clientId: a, clientSecret: ${ALT} }',
      { ALT: '' },
      ['error fanfare.yaml:2:53: accounts.alt.clientSecret: ALT is not set', 'write ALT=… in .env, or set it in the environment'],
    ],
    [
      'a variable in place of another value',
      'discord: { zone: "${ZONE}" }',
      { ZONE: 'UTC' },
      ['error fanfare.yaml:1:18: discord.zone: only secrets can be variables: write the value itself'],
    ],
    [
      'all mistakes at once, with suggestions',
      `acounts: {}
defaults:
  discord: dicsord
  social: [sandbox, mastodon_de]
discord:
  zone: +02:00
  role: { post: [] }
  shards: many
`,
      {},
      [
        'error fanfare.yaml:1:1: acounts: unknown key: acounts',
        'did you mean accounts?',
        'error fanfare.yaml:3:12: defaults.discord: unknown account dicsord for discord',
        'did you mean discord?',
        'error fanfare.yaml:4:21: defaults.social[1]: unknown account mastodon_de for social',
        'available: sandbox',
        `error fanfare.yaml:6:9: discord.zone: ${ZONE_ERROR}`,
        'error fanfare.yaml:7:3: discord.role: unknown key: role',
        'did you mean roles?',
        'error fanfare.yaml:8:11: discord.shards: expected auto or a number, found "many"',
      ],
    ],
    [
      'unknown accounts',
      'defaults:\n  discord: dicsord\n  social: [sandbox, mastodon_de]\n',
      {},
      [
        'error fanfare.yaml:2:12: defaults.discord: unknown account dicsord for discord',
        'did you mean discord?',
        'error fanfare.yaml:3:21: defaults.social[1]: unknown account mastodon_de for social',
        'available: sandbox',
      ],
    ],
    [
      'an unknown platform, and a missing key',
      "accounts:\n  a: { platform: twich, clientId: b }\n  b: { platform: discord }\n  c: { server: '1' }",
      DISCORD,
      [
        'error fanfare.yaml:2:18: accounts.a.platform: expected twitch, kick, youtube, x, bluesky, mastodon, sandbox, discord or assistant, found "twich"',
        'did you mean twitch?',
        'error fanfare.yaml:3:6: accounts.b.server: server is missing',
        'add server:',
        'error fanfare.yaml:4:6: accounts.c.platform: platform is missing',
        'add platform:',
      ],
    ],
    [
      'an account of X without credentials, and one with half of its keys',
      'accounts:\n  a: { platform: x }\n  b: { platform: x, apiKey: "${S}", apiSecret: "${S}" }\n  c: { platform: bluesky, handle: "@ada" }',
      { ...DISCORD, S: 'secret' },
      [
        'error fanfare.yaml:2:6: accounts.a: one of these is required: clientId; apiKey, apiSecret, accessToken and accessSecret; or bearerToken',
        'error fanfare.yaml:3:6: accounts.b: apiKey, apiSecret, accessToken and accessSecret only work together',
        'error fanfare.yaml:4:35: accounts.c.handle: write a handle without @, for example name.bsky.social',
      ],
    ],
    [
      'a key of another platform',
      "accounts:\n  a: { platform: discord, server: '1202584131993600007', sever: 1 }",
      DISCORD,
      ['error fanfare.yaml:2:58: accounts.a.sever: unknown key: sever', 'did you mean server?'],
    ],
    [
      'names in use, reserved names and invalid names',
      `accounts:
  discord: { platform: discord, server: '1202584131993600007' }
  twitch: { platform: kick, clientId: a, clientSecret: \${S} }
  my-kick: { platform: kick, clientId: a, clientSecret: \${S} }
`,
      { ...DISCORD, S: 'secret' },
      [
        'error fanfare.yaml:2:3: accounts.discord: the environment also has an account discord',
        'rename this account, or unset the variables of the other one',
        'error fanfare.yaml:3:3: accounts.twitch: a kick account cannot have the name twitch',
        'use another name',
        'error fanfare.yaml:4:3: accounts.my-kick: my-kick is not a valid account name',
        'use letters, digits and _, starting with a letter, as mastodon_de',
      ],
    ],
    [
      'a server without a bot',
      "accounts:\n  a: { platform: discord, server: '1202584131993600007' }",
      {},
      ['error fanfare.yaml:2:6: accounts.a: DISCORD_TOKEN is not set', 'one bot serves all servers: set its token in DISCORD_TOKEN'],
    ],
    [
      'a server of another account',
      "accounts:\n  a: { platform: discord, server: '1202584131993600001' }",
      DISCORD,
      ['error fanfare.yaml:2:35: accounts.a.server: the account discord already uses this server', 'use that account, or another server'],
    ],
    [
      'no way to receive commands',
      'discord: { gateway: false }',
      DISCORD,
      [
        'error fanfare.yaml:1:21: discord.gateway: without the gateway, commands come over HTTP, which needs publicKey',
        'add publicKey from the page of the application, or remove gateway',
      ],
    ],
    [
      'an invalid quota and an invalid time of the day',
      "discord:\n  questions: { person: 20/h }\n  queue: ['9:00']",
      {},
      [
        'error fanfare.yaml:2:24: discord.questions.person: write a quota as 20 per 1h',
        'error fanfare.yaml:3:11: discord.queue[0]: write a time of the day as 09:30',
        'write "09:00"',
      ],
    ],
    [
      'budgets of accounts without costs and of unknown accounts',
      'budgets:\n  twitch: { month: 5 USD }\n  discord: { requests: 2 }\n  twich: { requests: 2 }\n',
      { ...DISCORD, ...TWITCH },
      [
        'error fanfare.yaml:2:13: budgets.twitch.month: twitch has no costs to limit',
        'remove it; only X has costs',
        'error fanfare.yaml:3:3: budgets.discord: discord has no costs and no composed reads to limit',
        'remove it',
        'error fanfare.yaml:4:3: budgets.twich: unknown account twich',
        'did you mean twitch?',
      ],
    ],
    [
      'an invalid amount',
      'budgets:\n  x: { month: 20, page: $0.10, requests: 0 }\n  y: { month: 0.0 USD, page: 0.1 EUR }',
      { X_CLIENT_ID: 'id' },
      [
        'error fanfare.yaml:2:15: budgets.x.month: expected text, found 20',
        'write an amount as 20 USD or 0.10 USD',
        'error fanfare.yaml:2:25: budgets.x.page: write an amount as 20 USD or 0.10 USD',
        'error fanfare.yaml:2:42: budgets.x.requests: expected at least 1, found 0',
        'error fanfare.yaml:3:3: budgets.y: unknown account y',
        'available: x',
        'error fanfare.yaml:3:15: budgets.y.month: write an amount as 20 USD or 0.10 USD',
        'error fanfare.yaml:3:30: budgets.y.page: write an amount as 20 USD or 0.10 USD',
      ],
    ],
    ['invalid YAML', 'discord:\n  zone: [UTC', {}, ['error fanfare.yaml:2:9: the list is not closed: ] is missing']],
    [
      'a list in place of a map',
      '- discord',
      {},
      ['error fanfare.yaml:1:1: expected a map of keys and values', 'start the file with accounts:, defaults: or discord:'],
    ],
    [
      'accounts that are not connected yet',
      'defaults: { social: [bluesky] }\nbudgets: { x: { requests: 20 } }',
      {},
      [
        'error fanfare.yaml:1:22: defaults.social[0]: unknown account bluesky for social',
        'connect it with npx fanfare auth bluesky, or write one of these: sandbox',
        'error fanfare.yaml:2:12: budgets.x: unknown account x',
        'connect it with npx fanfare auth x',
      ],
    ],
    ['a duplicate key', 'discord: {}\ndiscord: {}', {}, ['error fanfare.yaml:2:1: discord: discord appears twice', 'remove one of them']],
  ])('%s', ([, source, variables, lines]) => {
    expect(errorLines(source, variables)).toEqual(lines);
  });

  test('with the line, a caret and the hint, as in rules', () => {
    const output = printed('defaults:\n  socail: [x]\ndiscord:\n  questions: { person: 20/h }\n', { X_CLIENT_ID: 'id' });

    expect(output).toBe(`fanfare.yaml:2:3 error defaults.socail: unknown key: socail
2 |   socail: [x]
      ^
    did you mean social?

fanfare.yaml:4:24 error discord.questions.person: write a quota as 20 per 1h
4 |   questions: { person: 20/h }
                           ^
`);
  });

  test('without possible secrets', () => {
    const sources = [
      `accounts: { a: { platform: twitch, clientId: [${SECRET}], clientSecret: ${SECRET} } }`,
      `accounts: { a: { platform: twitch, clientSecret: { b: "${SECRET}" } } }`,
      `accounts: { a: { platform: twitch, clientSecret: "${SECRET} } }`,
      `accounts:\n  a:\n    platform: kick\n    clientSecret: ${SECRET}: x`,
      `accounts:\n  a:\n    platform: kick\n    clientSecret: *${SECRET}`,
      `accounts:\n  a:\n    platform: kick\n    clientSecret: "${SECRET}" x`,
      `accounts: { a: { platform: twitch, clientSecret: abcd,very-secret-2, clientId: b } }`,
      `accounts: { a: { platform: twitch, clientSecret: !very-secret-3 } }`,
      `accounts: { a: { platform: twitch, clientSecret: &very-secret-4 } }`,
      ...DEFINITIONS.flatMap(({ platform, form }) =>
        secretKeys(form).map((key) => `accounts:\n  a:\n    platform: ${platform}\n    ${key}: ${SECRET}`),
      ),
    ];

    for (const source of sources) expect(printed(source)).toMatch(/^fanfare\.yaml:(?!.*very-secret)/su);
  });

  test.for([
    [
      'under another name',
      ...['client_secret', 'clientSecrt', 'token', 'TOKEN', 'password', 'apikey'].map((key) => `    ${key}: ${SECRET}`),
    ],
    [
      'below its key',
      `    clientSecret:\n      ${SECRET}`,
      `    clientSecret: >-\n      ${SECRET}`,
      `    clientSecret: abcdef\n      ${SECRET}`,
    ],
    ['in a map below its key', `    clientSecret:\n      value: ${SECRET}`, `    client_secret:\n      value: ${SECRET}`],
    [
      'behind another secret in its line',
      `    url: { apiKey: "\${A}", apiSecret: ${SECRET} }`,
      `    x: { apiKey: abcd, apiSecret: ${SECRET} }`,
    ],
    ['behind signs of YAML', `    password: ${'&'.repeat(40)} ${SECRET}`],
  ] as const)('without a secret %s', ([, ...lines]) => {
    const sources = lines.map((line) => `accounts:\n  a:\n    platform: kick\n    clientId: b\n${line}\n`);

    for (const source of sources) expect(printed(source)).toMatch(/^fanfare\.yaml:(?!.*very-secret)/su);
  });

  test('for bytes that are not UTF-8', () => {
    const source = Uint8Array.from([...Buffer.from('discord: {}\n# M'), 0xfc, ...Buffer.from('nchen\n')]);

    expect(errorLines(source)).toEqual(['error: fanfare.yaml:2: the text is not valid UTF-8 from here on', 'save the file as UTF-8']);
  });
});

test.for([
  ['a pipe', (file: string) => execFileSync('mkfifo', [file]), 'it is a pipe, a socket or a device, not a file'],
  ['a device', (file: string) => symlinkSync('/dev/zero', file), 'it is a pipe, a socket or a device, not a file'],
  [
    'a large file',
    (file: string) => writeFileSync(file, ' '.repeat(300_000)),
    'it is too large: it has 300000 bytes, and the limit is 262144',
  ],
] as const)('%s in place of fanfare.yaml is rejected', ([, make, hint]) => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.yaml');
  make(file);

  const opening = (): Config => openConfig({ FANFARE_RULES: join(folder.path, 'rules') });

  expect(opening).toThrow(expect.objectContaining({ message: 'the file cannot be read', file, hint }));
});

test('posts have defaults by account', () => {
  const environment = {
    MASTODON_URL: 'https://social.example',
    MASTODON_TOKEN: 'x',
    BLUESKY_HANDLE: 'ada.example',
    BLUESKY_APP_PASSWORD: 'y',
  };
  const source = `accounts: { m: { platform: mastodon, url: https://other.example } }
posts: { mastodon: { language: de, visibility: unlisted }, m: { visibility: followers, warning: Horror, sensitive: true }, bluesky: { language: en, requireDescription: true } }`;

  expect(open(source, environment).accounts).toMatchObject([
    { account: 'bluesky', language: 'en', requireDescription: true },
    { account: 'mastodon', language: 'de', visibility: 'unlisted' },
    { account: 'm', visibility: 'followers', warning: 'Horror', sensitive: true },
  ]);
});

test('the former name of a visibility is rejected with the name to write', () => {
  expect(errorLines('posts: { mastodon: { visibility: private } }', { MASTODON_URL: 'https://social.example' }).join(' ')).toContain(
    'did you mean followers?',
  );
});

test('invalid defaults of posts are rejected', () => {
  const source = `posts: { twitch: { language: de, warning: Gore }, bluesky: { visibility: followers }, mastodon: { language: german } }`;

  expect(errorLines(source, { MASTODON_URL: 'https://social.example' }).join(' ')).toContain(
    'posts.mastodon.language: not a language code',
  );
  expect(
    errorLines(source.replace('german', 'de'), { BLUESKY_HANDLE: 'ada.example', TWITCH_CLIENT_ID: 'a', TWITCH_CLIENT_SECRET: 'b' }).join(
      ' ',
    ),
  ).toMatch(
    /posts on twitch have no language.*posts on twitch have no warning.*posts on bluesky have no visibility.*unknown account mastodon/su,
  );
});

describe('the section signIn', () => {
  const secret = { DISCORD_CLIENT_SECRET: 'client-secret-0123' };
  const discord = "signIn:\n  discord:\n    clientId: '1202584131993600002'\n    servers: '1202584131993600001'\n";

  test('has the sign-in with Discord, whose secret is never shown', () => {
    const config = open(`${discord}    editor: ['1202584131993600003', managers]\n    viewer: everyone\n`, secret);

    expect(config.discordSignIn).toEqual({
      clientId: '1202584131993600002',
      clientSecret: 'client-secret-0123',
      servers: ['1202584131993600001'],
      roles: { viewer: ['everyone'], editor: ['1202584131993600003', 'managers'], admin: ['administrators'] },
      apiUrl: 'https://discord.com/api',
    });
    expect(secretsOf(config)).toContain('client-secret-0123');
    expect(open('defaults: {}\n', secret).discordSignIn).toBeUndefined();
  });

  test.for([
    [discord, {}, 'signIn.discord: the sign-in with Discord needs the client secret of the application'],
    [`${discord}    editor: Moderator\n`, secret, 'write the id of a role, everyone, managers or administrators'],
    ['signIn:\n  discord:\n    clientId: abc\n    servers: []\n', secret, 'the client id is a long number'],
  ] as const)('reports a mistake: %j', ([source, variables, message]) => {
    expect(errorLines(source, variables).join('\n')).toContain(message);
  });
});

describe('the section webhooks', () => {
  const secret = { OPS_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}` };
  const ops = 'webhooks:\n  ops:\n    url: https://ops.example.org/hook\n    secret: ${OPS_SECRET}\n';

  test('has receivers, whose secrets are never shown', () => {
    const config = open(`${ops}    events: [rule.paused]\n    privateNetwork: true\n`, secret);

    expect(config.webhooks).toEqual([
      { name: 'ops', url: 'https://ops.example.org/hook', secret: secret.OPS_SECRET, events: ['rule.paused'], privateNetwork: true },
    ]);
    expect(open(ops, secret).webhooks[0]).toMatchObject({ events: expect.arrayContaining(['delivery.failed']), privateNetwork: false });
    expect(secretsOf(config)).toContain(secret.OPS_SECRET);
  });

  test.for([
    [ops, {}, 'webhooks.ops.secret: OPS_SECRET is not set'],
    [ops, { OPS_SECRET: 'short' }, 'webhooks.ops.secret: OPS_SECRET is not a secret of webhooks'],
    [ops.replace('${OPS_SECRET}', secret.OPS_SECRET), secret, 'secrets are environment variables'],
    [ops.replace('https://', 'ftp://'), secret, 'write the address of the receiver, for example https://example.org/fanfare'],
    [`${ops}    events: [delivery.lost]\n`, secret, 'webhooks.ops.events'],
    [ops.replace('  ops:', '  Ops One:'), secret, 'webhooks'],
  ] as const)('reports a mistake: %j', ([source, variables, message]) => {
    const lines = errorLines(source, variables).join('\n');

    expect(lines).toContain(message);
    expect(lines).not.toContain(secret.OPS_SECRET);
  });
});
