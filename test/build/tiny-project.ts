import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.ts';

export interface TinyProject extends Disposable {
  readonly path: string;
  /** Builds; returns the exit code. */
  build(): number | null;
  /** The output of `bin/fanfare.mjs`. */
  run(...args: readonly string[]): string;
  /** The exit code of `bin/fanfare.mjs`, and its error output. */
  fail(...args: readonly string[]): { readonly status: number | null; readonly stderr: string };
}

/** A project with the scripts of `bin/` and one source, which prints "sources" or, from a build, "build". */
export function tinyProject(): TinyProject {
  const folder = temporaryFolder();
  const { path } = folder;
  for (const part of ['src/web/public', 'src/web/browser', 'sandbox/discord/view', 'adapters', 'rules'])
    mkdirSync(join(path, part), { recursive: true });
  cpSync('bin', join(path, 'bin'), { recursive: true });
  symlinkSync(resolve('node_modules'), join(path, 'node_modules'));
  writeFileSync(join(path, 'sandbox/discord/view/style.css'), '');
  writeFileSync(join(path, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(path, 'src/web/browser/main.ts'), '');
  writeFileSync(join(path, 'src/text.ts'), "export const text = 'one';");
  writeFileSync(
    join(path, 'src/main.ts'),
    "import { text } from './text.ts';\nexport const main = () => console.log(import.meta.url.includes('/dist/') ? 'build' : 'sources', text);",
  );
  const node = (args: readonly string[]) => spawnSync(process.execPath, args, { cwd: path, encoding: 'utf8' });
  return {
    path,
    build: () => node(['bin/build.mjs']).status,
    run: (...args) => node(['bin/fanfare.mjs', ...args]).stdout.trim(),
    fail(...args) {
      const { status, stderr } = node(['bin/fanfare.mjs', ...args]);
      return { status, stderr: stderr.trim() };
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
