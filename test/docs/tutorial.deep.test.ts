import { spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually, freePort, getJson, untilReady } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PROJECT = ['bin', 'src', 'adapters', 'sandbox', 'rules', 'fanfare.yaml', 'package.json', 'package-lock.json', 'tsconfig.json'];

/** The requests to the simulated Twitch, with the time of each. */
const Requests = z.object({ items: z.array(z.object({ latest: z.array(z.object({ at: z.coerce.date(), path: z.string() })) })) });

type Step =
  | { readonly kind: 'save'; readonly file: string; readonly text: string }
  | { readonly kind: 'run'; readonly command: string }
  /** The output of the last command, the log, or a message in Discord. */
  | { readonly kind: 'output' | 'log' | 'discord'; readonly lines: readonly string[] };

test('the steps of the tutorial have the results that it shows', async () => {
  using folder = temporaryFolder();
  for (const part of PROJECT) cpSync(part, join(folder.path, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder.path, 'node_modules'));
  const steps = stepsOf(readFileSync('docs/tutorial.md', 'utf8'));
  expect(steps.length).toBeGreaterThan(15);

  const port = await freePort();
  const withPorts = (text: string): string => text.replaceAll(':8080', `:${port}`).replaceAll(':8081', `:${port + 1}`);
  const reader = openTerminals(folder.path, port);
  try {
    for (const step of steps) {
      if (step.kind === 'save') writeFileSync(join(folder.path, step.file), step.text);
      else if (step.kind === 'run') await reader.run(withPorts(step.command));
      else await reader.sees(step.kind, step.lines.map(withPorts));
    }
  } finally {
    await reader.stop();
  }
});

test('the tutorial is read as steps', () => {
  const page =
    'Save it as `rules/a.yaml`:\n\n```yaml\nid: a\n```\n\n```sh\nnpx a \\\n  b\n```\n\n```text\none\n  two\n```\n\n```text log\nthree\n```\n';

  expect(stepsOf(page)).toEqual([
    { kind: 'save', file: 'rules/a.yaml', text: 'id: a\n' },
    { kind: 'run', command: 'npx a \\\n  b' },
    { kind: 'output', lines: ['one', 'two'] },
    { kind: 'log', lines: ['three'] },
  ]);
});

/** The code blocks of a page, in order. */
function stepsOf(page: string): readonly Step[] {
  return [...page.matchAll(/([^\n]*)\n\n^```(\w+)(?: (\w+))?\n([^]*?)^```$/gmu)].map(([, before = '', language, shown, text = '']) => {
    if (language === 'sh') return { kind: 'run', command: text.trimEnd() };
    const lines = text.trim().split(/\n\s*/u);
    if (language === 'text') return { kind: shown === 'log' || shown === 'discord' ? shown : 'output', lines };
    const file = /Save .* as `([\w/.-]+)`:$/u.exec(before)?.[1];
    if (file === undefined) throw new Error(`nothing says where to save: ${text}`);
    return { kind: 'save', file, text };
  });
}

/** Replaces the times in an output, which differ for each reader. */
function withoutTimes(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/gu, 'TIME')
    .replaceAll(/[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2,3} \d{4}, \d\d:\d\d:\d\d/gu, 'TIME');
}

/** The two terminals of the reader, and the page of Discord. */
function openTerminals(cwd: string, port: number) {
  const env = { PATH: process.env['PATH'], HOME: cwd, PORT: String(port) };
  let log = '';
  let last = '';
  /** The output of the last command until it was compared with the page. Later, the command runs again. */
  let output: string | undefined;
  let fanfare: ReturnType<typeof spawn> | undefined;
  let changedMs = 0;

  /** Waits for a poll of the rule after the last change of the world. */
  async function untilPolled(): Promise<void> {
    await eventually('a poll of Barbara', async () => {
      const { items } = Requests.parse(await getJson(`http://127.0.0.1:${port + 1}/control/requests?platform=twitch`));
      return items.some(({ latest }) => latest.some(({ at, path }) => at.getTime() > changedMs && path.includes('barbara')));
    });
  }

  async function start(command: string): Promise<void> {
    // npm starts further processes, which end with their group.
    fanfare = spawn('bash', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [fanfare.stdout, fanfare.stderr]) stream?.on('data', (chunk: Buffer) => (log += chunk.toString()));
    await untilReady({ url: `http://127.0.0.1:${port}`, output: () => log });
  }

  async function shown(kind: 'output' | 'log' | 'discord'): Promise<string> {
    if (kind === 'log') return log;
    if (kind === 'discord') return JSON.stringify(await getJson(`http://127.0.0.1:${port + 1}/control/messages`));
    if (last === '') return log;
    const text = output ?? spawnSync('bash', ['-c', last], { cwd, env, encoding: 'utf8' }).stdout;
    output = undefined;
    return text;
  }

  return {
    async run(command: string): Promise<void> {
      if (command.startsWith('git clone ')) return; // The project is copied, and its packages are linked.
      if (command === 'npm start') return start(command);
      if (command.startsWith('curl ')) {
        // A reader waits for the next poll.
        await untilPolled();
        const { stdout, stderr } = spawnSync('bash', ['-c', `${command} --fail`], { cwd, env, encoding: 'utf8' });
        expect(stdout, stderr).toContain('"at"');
        changedMs = Date.now();
      } else {
        expect(command).toMatch(/^npx fanfare /u);
        last = command;
        const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd, env, encoding: 'utf8' });
        expect(stdout, stderr).not.toBe('');
        output = stdout;
      }
    },
    async sees(kind: 'output' | 'log' | 'discord', lines: readonly string[]): Promise<void> {
      let text = '';
      const isShown = async (): Promise<boolean> => {
        text = await shown(kind);
        if (kind === 'discord') return lines.every((line) => text.includes(JSON.stringify(line).slice(1, -1)));
        return lines.filter((line) => line !== '…').every((line) => withoutTimes(text).includes(withoutTimes(line)));
      };
      await eventually(`${kind}: ${lines.join(' | ')}`, isShown).catch((error: unknown) => {
        throw new Error(text, { cause: error });
      });
    },
    async stop(): Promise<void> {
      if (fanfare?.pid === undefined) return;
      const ended = new Promise((resolve) => fanfare?.once('close', resolve));
      process.kill(-fanfare.pid, 'SIGTERM');
      await ended;
    },
  };
}
