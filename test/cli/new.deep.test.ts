import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Run {
  readonly code: number | null;
  readonly output: string;
}

function fanfare(
  folder: string,
  args: readonly string[],
  { input = '', more = {} }: { readonly input?: string; readonly more?: Readonly<Record<string, string>> } = {},
): Run {
  const env = { PATH: process.env['PATH'], FANFARE_RULES: join(folder, 'rules'), FANFARE_DATA: join(folder, 'data'), ...more };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/fanfare.mjs', ...args], { input, env, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}

/** The last lines of `check` and `test` for the written files. */
function summaries(folder: string): readonly string[] {
  return ['check', 'test'].map((command) => fanfare(folder, [command]).output.trim().split('\n').at(-1) ?? '');
}

describe('new', () => {
  test('asks, repeats questions after invalid answers, and writes a rule with its tests', () => {
    using folder = temporaryFolder();

    const { code, output } = fanfare(folder.path, ['new'], {
      input: 'everything\nlive\n\n@ada, Grace\nmany\n\nsoon\n2m\n\n#news\nBad Name\n\n',
    });

    expect(code).toBe(0);
    expect(output).toContain('enter one of top, live, clips, posts');
    expect(output).toContain('a name is required');
    expect(output).toContain('enter a duration such as 30s, 5m or 1h');
    expect(readdirSync(join(folder.path, 'rules'))).toEqual(['live-ada-grace.test.yaml', 'live-ada-grace.yaml']);
    const rule = readFileSync(join(folder.path, 'rules', 'live-ada-grace.yaml'), 'utf8');
    expect(rule).toContain('with: { users: [ada, Grace] }');
    expect(rule).toContain('channel: news');
    expect(output).toContain(rule);
    expect(summaries(folder.path)).toEqual(['1 file, 1 rule ready to run: no errors, 0 warnings', '1 passed, 0 failed']);
  });

  test('each written rule passes check and test', () => {
    using folder = temporaryFolder();
    const choices = [
      ['--kind', 'top', '--game', '2048'],
      [
        '--kind',
        'top',
        '--game',
        'Tom "Clancy": #1 ${',
        '--min',
        '500',
        '--every',
        '90s',
        '--say',
        'both',
        '--take',
        '10',
        '--id',
        'clancy',
      ],
      ['--kind', 'live', '--channels', 'ada', '--every', '5s', '--min', '9000'],
      ['--kind', 'live', '--channels', 'ada,grace', '--every', '7m', '--say', 'social'],
      ['--kind', 'clips', '--game', 'VALORANT', '--min', '7', '--discord-channel', 'clips: best'],
      ['--kind', 'posts', '--user', '@ada', '--every', '1h', '--say', 'both'],
      ['--kind', 'posts', '--user', 'on'],
    ];

    const codes = choices.map((choice) => fanfare(folder.path, ['new', ...choice]));

    expect(codes.map(({ code, output }) => (code === 0 ? 0 : output))).toEqual(choices.map(() => 0));
    expect(summaries(folder.path)[0]).toBe('7 files, 7 rules ready to run: no errors, 0 warnings');
    expect(summaries(folder.path)[1]).toMatch(/^\d+ passed, 0 failed$/);
  });

  test('never overwrites a file, and suggests another id', () => {
    using folder = temporaryFolder();
    const choice = ['new', '--kind', 'live', '--channels', 'ada'];
    fanfare(folder.path, [...choice, '--every', '2m']);
    const before = readFileSync(join(folder.path, 'rules', 'live-ada.yaml'), 'utf8');

    const other = fanfare(folder.path, choice);
    const same = fanfare(folder.path, [...choice, '--id', 'live-ada']);

    expect(other.output).toContain('live-ada-2.yaml');
    expect(same).toMatchObject({ code: 1, output: expect.stringContaining('there is already a rule live-ada') });
    expect(readFileSync(join(folder.path, 'rules', 'live-ada.yaml'), 'utf8')).toBe(before);
  });

  test('names the missing or invalid option and writes nothing', () => {
    using folder = temporaryFolder();

    const outputs = [
      ['--kind', 'top'],
      ['--kind', 'tops'],
      ['--kind', 'live', '--channels', 'ada', '--every', '1s'],
      ['--kind', 'live', '--channels', 'ada', '--every', '1d'],
      [],
    ].map((args) => fanfare(folder.path, ['new', ...args]));

    expect(outputs.map(({ code }) => code)).toEqual([2, 2, 2, 2, 1]);
    expect(outputs.map(({ output }) => /error: (.*)/.exec(output)?.[1])).toEqual([
      '--game: this option is required',
      '--kind: enter one of top, live, clips, posts; found "tops"',
      '--every: enter 5s to 12h; for a time of the day, edit the file and use cron; found "1s"',
      '--every: enter 5s to 12h; for a time of the day, edit the file and use cron; found "1d"',
      'fanfare new: no more input',
    ]);
    expect(existsSync(join(folder.path, 'rules'))).toBe(false);
  });

  test('asks for the account if several can read', () => {
    using folder = temporaryFolder();
    const more = {
      TWITCH_CLIENT_ID: 'a',
      TWITCH_CLIENT_SECRET: 'b',
      KICK_CLIENT_ID: 'a',
      KICK_CLIENT_SECRET: 'b',
      DISCORD_TOKEN: 'c',
      DISCORD_GUILD_ID: '1',
    };

    const { output } = fanfare(folder.path, ['new'], { input: 'top\nChess\nkick\n\n\n\n\n\n\n', more });

    expect(output).toContain('Which account should read the platform? Accounts: twitch, kick.');
    expect(output).toMatch(/^ {2}account: kick$/m);
    expect(output).not.toMatch(/error/);
  });
});
