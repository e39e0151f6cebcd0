import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch, untilReady, type FanfareProcess } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const bin = resolve('bin/fanfare.mjs');
const hasSystemd = existsSync('/usr/bin/systemd-analyze');

/**
 * The blocks of commands that a page marks: `run` needs an installation, `running` needs Fanfare to run.
 *
 * A page can mark a block inside a list, which is indented.
 */
const blocks = ['operating', 'explanation'].flatMap((folder) =>
  globSync(`docs/${folder}/*.md`).flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/<!-- check: (run|running) -->\n *```sh\n([^]*?)\n *```/gu)].map(
      ([, kind = '', text = '']) => ({ name: `${basename(page)} (${kind})`, text }),
    ),
  ),
);

const folder = temporaryFolder();
let fanfare: FanfareProcess;

beforeAll(async () => {
  const environment = { FANFARE_DATA: join(folder.path, 'data'), FANFARE_RULES: join(folder.path, 'rules') };
  await run(process.execPath, [bin, 'init'], { cwd: folder.path });
  // The troubleshooting page names a shipped rule.
  cpSync('rules/live-card.yaml', join(folder.path, 'rules', 'live-card.yaml'));
  // The pages name the units in the folder of the project.
  cpSync('contrib', join(folder.path, 'contrib'), { recursive: true });
  fanfare = await launch({ environment, cwd: folder.path });
  await untilReady(fanfare);
});
afterAll(async () => {
  await fanfare[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Runs commands in the installation. `npx fanfare` is the program of this checkout, port 8080 is that of the running process, and no one types a password. */
async function runInShell(text: string): Promise<string> {
  const commands = text
    .replaceAll('read -rs PASSWORD', "PASSWORD='a password of 12+'")
    .replaceAll('npx fanfare', `"${process.execPath}" "${bin}"`)
    .replaceAll('http://127.0.0.1:8080', fanfare.url)
    .replaceAll('127.0.0.1:8080', new URL(fanfare.url).host);
  const { stdout } = await run('sh', ['-ec', commands], { cwd: folder.path, env: { PATH: process.env['PATH'] } });
  return stdout;
}

describe('the commands of the pages', () => {
  test('there are marked blocks', () => {
    expect(blocks.length).toBeGreaterThan(8);
  });

  test.for(blocks.filter(({ text }) => hasSystemd || !text.includes('systemd-analyze')))('$name', async ({ text }) => {
    expect(await runInShell(text)).not.toBe('');
  });
});

test('the texts of backup and restore are those of the page', async () => {
  const page = readFileSync('docs/operating/backup.md', 'utf8');

  const output = await runInShell(
    'npx fanfare backup backups/fanfare.sqlite\nFANFARE_DATA=other npx fanfare restore backups/fanfare.sqlite',
  );

  const shown = output.split('\n').filter((line) => /^(Next|If the search)/u.test(line));
  expect(shown).toHaveLength(2);
  expect(shown.filter((line) => !page.includes(line))).toEqual([]);
  expect(output).toMatch(/^Backup written to backups\/fanfare\.sqlite \(\d+\.\d MB\)\.\nNot in the backup: /u);
  expect(output).toMatch(/^State restored from backups\/fanfare\.sqlite, as of /mu);
});
