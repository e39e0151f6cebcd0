import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, getJson, launch } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LIBRARY = `
  import { Bot, SocialAsync } from 'fanfare';
  import * as streaming from 'fanfare/streaming';
  import * as social from 'fanfare/social';
  import { startSandbox } from 'fanfare/sandbox';
  import { twitch } from 'fanfare/adapters/twitch';
  for (const name of ['kick', 'x', 'bluesky', 'mastodon', 'discord', 'openai', 'giphy', 'sandbox']) await import('fanfare/adapters/' + name);
  await using world = await startSandbox({ seed: 3 });
  const { TWITCH_CLIENT_ID: clientId, TWITCH_CLIENT_SECRET: clientSecret, TWITCH_API_URL: apiUrl, TWITCH_AUTH_URL: authUrl } = world.environment;
  const bot = new Bot({ platform: twitch({ clientId, clientSecret, apiUrl, authUrl }) });
  console.log((await bot.getGameStreams('VALORANT')).length > 0 && typeof SocialAsync, Object.keys({ ...streaming, ...social }).length > 0);
`;

test('the package contains a program and a library that run without the sources', async () => {
  using folder = temporaryFolder();
  const [source, user] = [join(folder.path, 'source'), join(folder.path, 'user')];
  for (const part of ['bin', 'src', 'adapters', 'sandbox', 'rules', 'package.json', 'package-lock.json', '.gitignore']) {
    cpSync(part, join(source, part), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(source, 'node_modules'));
  mkdirSync(join(user, 'node_modules/@img'), { recursive: true });

  const packed = run(source, 'npm', ['pack', '--pack-destination', user]);
  const tarball = packed.stdout.trim().split('\n').at(-1) ?? '';
  run(user, 'tar', ['-xzf', tarball]);
  cpSync(join(user, 'package'), join(user, 'node_modules/fanfare'), { recursive: true });
  // What npm would install for the package.
  for (const name of ['sharp', 'detect-libc', 'semver']) symlinkSync(resolve('node_modules', name), join(user, 'node_modules', name));
  writeFileSync(join(user, 'library.mjs'), LIBRARY);
  const installed = join(user, 'node_modules/fanfare');

  expect(packed).toMatchObject({ status: 0 });
  expect(readFileSync(join(source, 'package.json'), 'utf8')).toBe(readFileSync('package.json', 'utf8'));
  expect(['src', 'adapters', 'sandbox', 'bin/build.mjs'].filter((name) => existsSync(join(installed, name)))).toEqual([]);
  expect(run(user, process.execPath, [join(installed, 'bin/fanfare.mjs'), '--help']).stdout).toContain('Usage: fanfare');
  expect(run(user, process.execPath, ['library.mjs'])).toEqual({ status: 0, stdout: 'function true\n', stderr: '' });

  await using fanfare = await launch({
    script: join(installed, 'bin/fanfare.mjs'),
    cwd: user,
    environment: { FANFARE_DATA: join(user, 'data'), FANFARE_RULES: join(installed, 'rules') },
  });
  await eventually('a decision', async () => JSON.stringify(await getJson(`${fanfare.url}/api/decisions`)).includes('"rule"'));
});

function run(cwd: string, command: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}
