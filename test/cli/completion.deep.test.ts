import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const RULE = `id: live-card
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then: [{ do: discord.send, with: { channel: live, content: hello } }]
`;

const project = temporaryFolder();
afterAll(() => project[Symbol.dispose]());
beforeAll(async () => {
  await mkdir(join(project.path, 'rules'));
  await writeFile(join(project.path, 'rules', 'live-card.yaml'), RULE);
});

const DEFINE = `fanfare() { '${process.execPath}' '${resolve('bin/fanfare.mjs')}' "$@"; }`;

/** How a shell completes the words after `fanfare`, without a terminal. */
const SHELLS = {
  bash: (words: readonly string[]) => `${DEFINE}
source <(fanfare completion bash)
COMP_WORDS=(fanfare ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_fanfare
printf '%s\\n' "\${COMPREPLY[@]}"`,
  // The functions of its completion system print their arguments.
  zsh: (words: readonly string[]) => `${DEFINE}
compdef() { : }
_describe() { print -rl -- "\${(@)\${(@P)2}%%:*}" }
_files() { print -rl -- * }
source <(fanfare completion zsh)
words=(fanfare ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}
_fanfare`,
  fish: (words: readonly string[]) => `function fanfare; '${process.execPath}' '${resolve('bin/fanfare.mjs')}' $argv; end
fanfare completion fish | source
complete -C 'fanfare ${words.join(' ')}' | string split -f1 (printf '\\t'); true`,
};

async function completed(shell: keyof typeof SHELLS, words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(shell, ['-c', SHELLS[shell](words)], {
    cwd: project.path,
    env: { PATH: process.env['PATH'], HOME: project.path },
  });
  return stdout.split('\n').filter((word) => word !== '');
}

test.for(Object.keys(SHELLS) as (keyof typeof SHELLS)[])('%s completes commands, options, values, rules and files', async (shell) => {
  expect(await completed(shell, ['tok'])).toEqual(['token']);
  expect(await completed(shell, ['token', 'create', '--sc'])).toEqual(['--scope']);
  expect(await completed(shell, ['token', 'create', '--scope', 'w'])).toEqual(['write']);
  expect(await completed(shell, ['pause', 'li'])).toEqual(['live-card']);
  expect((await completed(shell, ['restore', 'ru'])).map((file) => file.replace(/\/$/u, ''))).toContain('rules');
});
