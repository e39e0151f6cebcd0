import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { scriptHttp } from '../../support/script-http.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ADAPTER = 'test/adapters/new-platform/demo';
const RULE = `
id: live
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, account: demo }
then: [{ do: discord.send, with: { channel: live, content: "\${{ item.owner.handle }}: \${{ item.title }}" } }]
`;
const LIVE = [{ id: '1', user: 'ada', title: 'Chess', viewers: 3, since: '2026-11-20T18:00:00Z' }];

/** The files and folders of an adapter that "Add a platform" names. */
function namedParts(): readonly string[] {
  const [, section = ''] = /## Add a platform\n(.*?)\n## /su.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? [];
  return [...section.matchAll(/`adapters\/<platform>\/([^`<]+)[^`]*`|and `(\w+\.ts)`/gu)].map(([, path, file]) => path ?? file ?? '');
}

/** Fanfare with one more platform: its folder, and an entry in `adapters/index.ts`. */
function addPlatform(folder: string): void {
  for (const part of ['src', 'adapters', 'bin', 'package.json']) cpSync(part, join(folder, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'dir');
  cpSync(ADAPTER, join(folder, 'adapters/demo'), { recursive: true });
  const index = join(folder, 'adapters/index.ts');
  const source = readFileSync(index, 'utf8').replace('streaming: {', 'streaming: { demo,');
  writeFileSync(index, `import { account as demo } from './demo/account.ts';\n${source}`);
}

test('"Add a platform" names each part of an adapter', () => {
  const files = globSync('**/*.ts', { cwd: ADAPTER }).map((file) => file.replaceAll('\\', '/'));

  expect(new Set(files.map((file) => file.replace(/\/.*/u, '/')))).toEqual(new Set(namedParts()));
});

test('with the folder of a platform and an entry in adapters/index.ts, Fanfare lists and polls it', async () => {
  using folder = temporaryFolder({ inMemory: true });
  addPlatform(folder.path);
  await using server = await scriptHttp([['GET /live', { json: LIVE }]]);
  mkdirSync(join(folder.path, 'rules'));
  writeFileSync(join(folder.path, 'rules/live.yaml'), RULE);
  const env = {
    PATH: process.env['PATH'],
    DEMO_URL: server.url,
    DEMO_TOKEN: 'd3m0',
    DISCORD_TOKEN: 'bot',
    DISCORD_GUILD_ID: '1',
    DISCORD_API_URL: 'http://127.0.0.1:1',
    FANFARE_DATA: join(folder.path, 'data'),
  };
  const fanfare = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, ['bin/fanfare.mjs', ...args], { cwd: folder.path, env })).stdout;

  const capabilities = await fanfare('capabilities', 'demo');
  const preview = await fanfare('preview', 'live');

  expect(capabilities).toMatch(/^demo \(streaming\): 1 native, 13 unsupported$/mu);
  expect(preview).toContain('ada: Chess');
  expect(server.seen[0]?.headers.authorization).toBe('Bearer d3m0');
});
