import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join, resolve } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually, freePort, getJson, launch } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const { path } = folder;
const BuildFile = z.object({ folder: z.string() });
const Decisions = z.object({ items: z.array(z.unknown()) });
const Interaction = z.object({ outcome: z.string() });

beforeAll(() => {
  for (const part of ['bin', 'src', 'adapters', 'sandbox', 'rules', 'package.json', 'package-lock.json', 'fanfare.yaml']) {
    cpSync(part, join(path, part), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(path, 'node_modules'));
  throwIn('src/cli/schema.ts', "throw new TypeError('in a command');");
  throwIn('src/cli/capabilities.ts', "setImmediate(() => { throw new TypeError('in a callback'); });");
  const { status, stderr } = fanfare({ script: 'bin/build.mjs' });
  if (status !== 0 || stderr !== '') throw new Error(`the build ended with ${status}: ${stderr}`);
});
afterAll(() => folder[Symbol.dispose]());

test('the build answers --version and --help', () => {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')));

  expect(fanfare({ args: ['--version'] })).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  expect(fanfare({ args: ['--help'] }).stdout).toContain('resolve');
});

test('a start on the sandbox serves the page, its files and the first decision', async () => {
  const port = await freePort();
  await using process = await launch({
    script: join(path, 'bin/fanfare.mjs'),
    cwd: path,
    port,
    environment: { FANFARE_DATA: join(path, 'data') },
  });

  await eventually('a decision', async () => Decisions.parse(await getJson(`${process.url}/api/decisions`)).items.length > 0);
  for (const file of ['page.css', 'demo.js', 'views.en.js', 'favicon.svg'])
    expect((await request(`${process.url}/${file}`)).statusCode).toBe(200);
  const script = await (await request(`${process.url}/views.en.js`)).body.text();
  const [, part = ''] = /\.\/(views\/overview-[\w-]+\.js)/u.exec(script) ?? [];
  expect((await request(`${process.url}/${part}`)).statusCode).toBe(200);
  const view = await request(`http://127.0.0.1:${port + 1}/discord/view/general`);
  expect(await view.body.text()).toContain('<style>');
});

/** Posts a picture whenever the list changes. */
const PICTURES = `
id: pictures
when: { every: 5s, watch: streaming.getGameStreams, with: { game: VALORANT }, take: 1, first: fire, settle: 0s }
mode: parallel
then:
  - do: social.createPost
    with: { text: "\${{ item.title }}", files: [{ url: "\${{ item.thumbnailUrl }}", altText: A scene }] }
`;

test('a process without its packages, as during npm ci, posts pictures and answers commands', async () => {
  const port = await freePort();
  const rules = join(path, 'picture-rules');
  mkdirSync(rules);
  await using process = await launch({
    script: join(path, 'bin/fanfare.mjs'),
    cwd: path,
    port,
    environment: { FANFARE_DATA: join(path, 'data-without-packages'), FANFARE_RULES: rules, FANFARE_RULES_WATCH: 'on' },
  });
  await eventually('Discord', async () => (await request(`${process.url}/readyz`)).statusCode === 200);
  await eventually('the libraries for pictures', async () => readFileSync(`/proc/${process.pid}/maps`, 'utf8').includes('libvips'));

  const packages = join(path, 'node_modules');
  rmSync(packages);
  try {
    writeFileSync(join(rules, 'pictures.yaml'), PICTURES);
    await eventually('a picture', async () => JSON.stringify(await getJson(`${process.url}/api/deliveries`)).includes('"state":"sent"'));
    // The simulated Discord waits three seconds for an answer, as the real one does. A busy machine may need another command.
    const answered = await eventually('an answer in Discord', async () => {
      const command = await request(`http://127.0.0.1:${port + 1}/control/discord/interactions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ user: 'ada', channel: 'general', command: 'status' }),
      });
      const { outcome } = Interaction.parse(await command.body.json());
      return outcome !== 'failed' && outcome;
    });
    expect(answered).toBe('message');
  } finally {
    symlinkSync(resolve('node_modules'), packages);
  }
});

test('stack traces name the source and its line', () => {
  const command = fanfare({ args: ['schema'] });
  const callback = fanfare({ args: ['capabilities'] });

  expect(command).toMatchObject({ status: 70, stderr: expect.stringContaining(`file://${path}/${lineOf('src/cli/schema.ts')}`) });
  expect(callback).toMatchObject({ status: 70, stderr: expect.stringContaining(`file://${path}/${lineOf('src/cli/capabilities.ts')}`) });
  expect(command.stderr + callback.stderr).not.toContain('/dist/');
});

test('chunks are ASCII, and their source maps find functions', () => {
  const build = join(path, 'dist', BuildFile.parse(JSON.parse(readFileSync(join(path, 'dist/build.json'), 'utf8'))).folder);
  const chunks = readdirSync(build).filter((name) => name.endsWith('.js'));
  const escaped = chunks.find((name) => name.startsWith('app-')) ?? '';
  const code = readFileSync(join(build, escaped), 'utf8');
  const map = new SourceMap(JSON.parse(readFileSync(join(build, `${escaped}.map`), 'utf8')) as SourceMapPayload); // written by the build
  const functions = [...code.matchAll(/function ([a-z]\w{5,})\(/gu)];
  const missed = functions.filter(({ 0: text, 1: name = '', index }) => {
    const before = code.slice(0, index).split('\n');
    const entry = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
    const source = 'originalSource' in entry ? readFileSync(new URL(entry.originalSource, `file://${build}/`), 'utf8').split('\n') : [];
    return text === '' || !('originalLine' in entry) || !source[entry.originalLine]?.includes(name);
  });

  expect(chunks.filter((name) => /[^\0-\u007F]/u.test(readFileSync(join(build, name), 'utf8')))).toEqual([]);
  expect(code).toMatch(/\\u2026|\\u00e4|\\u2019/u);
  expect(functions.length).toBeGreaterThan(100);
  expect(missed.map(([text]) => text)).toEqual([]);
});

test('the build keeps the compiled code of a start', () => {
  const build = BuildFile.parse(JSON.parse(readFileSync(join(path, 'dist/build.json'), 'utf8'))).folder;

  expect(readdirSync(join(path, 'dist', build, 'cache'))).toHaveLength(1);
});

function throwIn(file: string, statement: string): void {
  const source = readFileSync(file, 'utf8');
  writeFileSync(join(path, file), source.replace(/(?:\.action\(|async run\().*$/mu, `$&\n${statement}`));
}

/** The file and the line of the added statement. */
function lineOf(file: string): string {
  const lines = readFileSync(join(path, file), 'utf8').split('\n');
  return `${file}:${lines.findIndex((line) => line.includes('throw new TypeError')) + 1}`;
}

function fanfare({ script = 'bin/fanfare.mjs', args = [] }: { readonly script?: string; readonly args?: readonly string[] }) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: path, encoding: 'utf8' });
  return { status, stdout, stderr };
}
