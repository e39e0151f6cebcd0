import { describe, expect, test } from 'vitest';
import { warningsOf } from './installation-warnings.ts';

describe('a name in .env', () => {
  test.each([
    ['TWICH_CLIENT_ID=a', 'TWITCH_CLIENT_ID'],
    ['twitch_client_id=a', 'TWITCH_CLIENT_ID'],
    ['TWITCH-CLIENT-ID=a', 'TWITCH_CLIENT_ID'],
    ['DISCORD_BOT_TOKEN=a', 'DISCORD_TOKEN'],
    ['export MASTODON_TOKN=a', 'MASTODON_TOKEN'],
    ['DATABASE_URI=a', 'DATABASE_URL'],
    ['FANFARE_RULE=a', 'FANFARE_RULES'],
  ])('close to a variable gets a warning: %s', (dotEnv, meant) => {
    const name = dotEnv.replace('export ', '').replace('=a', '');

    expect(warningsOf({ dotEnv: `# accounts\n${dotEnv}\n` })).toEqual([`.env:2: Fanfare has no variable ${name}: did you mean ${meant}?`]);
  });

  test('that begins like the variables of an account gets their names', () => {
    expect(warningsOf({ dotEnv: 'TWITCH_SECRET=a\n' })).toEqual([
      '.env:1: Fanfare has no variable TWITCH_SECRET: available: TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET, TWITCH_EVENTSUB',
    ]);
  });

  test.each([
    'COMPOSE_PROFILES=one',
    'POSTGRES_PASSWORD=a',
    'TZ=UTC',
    'NODE_ENV=production',
    'OTEL_TRACES_SAMPLER=always_on',
    'H8f0aGVsbG8==',
  ])('of another program gets none: %s', (dotEnv) => {
    expect(warningsOf({ dotEnv })).toEqual([]);
  });

  test('gets none if the variable that it resembles is set, or if fanfare.yaml reads it', () => {
    const dotEnv = 'TWITCH_CLIENT_ID=a\nTWITCH_CLIENT_SECRET=b\nTWITCH_CLIENT_ID2=c\nX_CLUB_SECRET=d\n';

    const files = { 'fanfare.yaml': 'accounts: { x: { clientSecret: "${X_CLUB_SECRET}" } }' };
    expect(warningsOf({ dotEnv, files })).toEqual([]);
    expect(warningsOf({ dotEnv, files, environment: { FANFARE_RULES: '' } })).toEqual([]);
  });
});

describe('a name in the environment', () => {
  test('with a typing error gets a warning', () => {
    expect(warningsOf({ environment: { TWICH_CLIENT_ID: 'a', KICK_CLIENT_SERCET: 'b' } })).toEqual([
      'environment: Fanfare has no variable TWICH_CLIENT_ID: did you mean TWITCH_CLIENT_ID?',
      'environment: Fanfare has no variable KICK_CLIENT_SERCET: did you mean KICK_CLIENT_SECRET?',
    ]);
  });

  test.each([
    'PORTS',
    'HOSTNAME',
    'DATABASE_URI',
    'X_TOKEN',
    'XDG_DATA_HOME',
    'FANFARE_RUNS',
    'FANFARE_DEEP',
    'DISCORD_BOT_TOKEN',
    'GIT_CLIENT_ID',
  ])('of another program gets none: %s', (name) => {
    expect(warningsOf({ environment: { [name]: 'a' } })).toEqual([]);
  });
});

test('an empty key gets a warning if several machines can use the database', () => {
  const environment = { FANFARE_KEY: '', FANFARE_WORKER: '' };

  expect(warningsOf({ environment })).toEqual([]);
  expect(warningsOf({ environment: { ...environment, DATABASE_URL: 'postgres://db.example/fanfare' } })).toEqual([
    expect.stringMatching(/^environment: FANFARE_KEY is empty, so each machine creates another key/),
  ]);
});

describe('a line of .env', () => {
  test.each([
    ['TWITCH_CLIENT_ID: a', 'this line is ignored, because it is not NAME=value: write TWITCH_CLIENT_ID=…'],
    ['TWITCH_CLIENT_ID a', 'this line is ignored, because it is not NAME=value: write TWITCH_CLIENT_ID=…'],
    // Node knows only spaces there.
    ['export\tTWITCH_CLIENT_ID=a', 'this line is ignored, because it is not NAME=value: write TWITCH_CLIENT_ID=…'],
    ['hello', 'this line is ignored, because it is not NAME=value'],
    ['TWITCH_CLIENT_ID=', 'TWITCH_CLIENT_ID is empty, which counts as not set: write its value, or remove the line'],
    [
      'TWITCH_CLIENT_ID="a\nTWITCH_CLIENT_SECRET="b"',
      'the next line is a part of the value of TWITCH_CLIENT_ID: close its quotes, and write no space behind =',
    ],
    ['DISCORD_TOKEN=a#b', '# ends the value of DISCORD_TOKEN: put the value in quotes'],
  ])('that is read in another way than it is written: %j', (dotEnv, warning) => {
    expect(warningsOf({ dotEnv })).toContainEqual(`.env:1: ${warning}`);
  });

  test.each([
    'TWITCH_CLIENT_ID = "a" # mine',
    "  TWITCH_CLIENT_ID='a#b'",
    '\uFEFFTWITCH_CLIENT_ID=a\r\n',
    'export TWITCH_CLIENT_ID=a\r\n',
    'TWITCH_CLIENT_ID=a # mine',
    '# TWITCH_CLIENT_ID: a',
    'TZ="a\nb"\n',
  ])('that is right gets no warning: %j', (dotEnv) => {
    expect(warningsOf({ dotEnv })).toEqual([]);
  });

  test('without an effect, because the environment has an empty variable of its name', () => {
    const dotEnv = 'TWITCH_CLIENT_ID=a\nKICK_CLIENT_ID=b\nKICK_CLIENT_ID=\n';

    expect(warningsOf({ dotEnv, environment: { TWITCH_CLIENT_ID: '', DISCORD_TOKEN: '' } })).toEqual([
      '.env:1: this line has no effect, because the environment has an empty TWITCH_CLIENT_ID: unset it there',
      '.env:3: KICK_CLIENT_ID is empty, which counts as not set: write its value, or remove the line',
    ]);
  });

  test.each(['', '\n \n'])('in an empty file: %j', (dotEnv) => {
    expect(warningsOf({ dotEnv })).toEqual(['.env: the file is empty: restore it, or delete it']);
  });

  test('in a file that Windows PowerShell wrote', () => {
    expect(warningsOf({ dotEnv: Buffer.from('\uFEFFTWITCH_CLIENT_ID=a\r\nDISCORD_TOKEN=a#b\r\n', 'utf16le') })).toEqual([
      '.env:2: # ends the value of DISCORD_TOKEN: put the value in quotes',
    ]);
  });

  test('in a file with another encoding', () => {
    expect(warningsOf({ dotEnv: Buffer.from('\uFEFFTWITCH_CLIENT_ID=a\n', 'utf16le').toString('utf8') })).toContainEqual(
      '.env: the file is not plain UTF-8, so variables of it are not read: save it as UTF-8',
    );
  });
});

test.each([
  ['"a"', 'the value of TWITCH_CLIENT_ID has a quotation mark at its beginning or end: remove the quotation marks'],
  ['“a”', 'the value of TWITCH_CLIENT_ID has a quotation mark at its beginning or end: remove the quotation marks'],
  ['a\n', 'the value of TWITCH_CLIENT_ID has a space at its beginning or end: remove the space'],
  ['a b', 'the value of TWITCH_CLIENT_ID contains a space: copy the value again, without spaces'],
])('a value of the environment that was copied wrong: %j', (value, warning) => {
  expect(warningsOf({ environment: { TWITCH_CLIENT_ID: value } })).toEqual([`environment: ${warning}`]);
});

test.each([
  ['“a”', 'the value of TWITCH_CLIENT_ID has a quotation mark at its beginning or end: remove the quotation marks'],
  ['a b', 'the value of TWITCH_CLIENT_ID contains a space: copy the value again, without spaces'],
])('a value of .env that was copied wrong: %j', (value, warning) => {
  expect(warningsOf({ dotEnv: `# mine\nTWITCH_CLIENT_ID=${value}\n` })).toEqual([`.env:2: ${warning}`]);
});

describe('a .env file in another folder', () => {
  test.each(['../.env', 'rules/.env'])('is named: %s', (path) => {
    const folder = path === '../.env' ? '' : '/bot/rules';

    expect(warningsOf({ files: { [path]: 'TWITCH_CLIENT_ID=a\n' } })).toEqual([
      `${path}: this file is not read: Fanfare reads the .env of the working directory, /bot: move it there, or run Fanfare in ${folder}`,
    ]);
  });

  test.each(['.env.txt', 'env.txt', 'env'])('is named, and one with another name: %s', (path) => {
    expect(warningsOf({ files: { [path]: 'TWITCH_CLIENT_ID=a\n' } })).toEqual([
      `${path}: this file is not read: Fanfare reads the .env of the working directory, /bot: rename it to .env`,
    ]);
  });

  test('is not named if its variables are set, or if it belongs to another program', () => {
    expect(warningsOf({ files: { '../.env': 'TWITCH_CLIENT_ID=a\n' }, environment: { TWITCH_CLIENT_ID: 'a' } })).toEqual([]);
    expect(warningsOf({ files: { '../.env': 'POSTGRES_PASSWORD=a\n' } })).toEqual([]);
  });
});
