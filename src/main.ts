import { statSync } from 'node:fs';
import { inspect } from 'node:util';
import { Command } from 'commander';
import project from '../package.json' with { type: 'json' };
import { printFailure } from '#src/cli/print-failure.ts';
import { terminal, type Terminal } from '#src/cli/terminal.ts';
import { ConfigError } from '#src/errors.ts';
import { withSourcePositions } from '#src/source-positions.ts';

const LARGEST_DOT_ENV = 1_048_576;

/** Runs the command in `argv` and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const out = terminal(process);
  process.once('uncaughtException', (error) => {
    out.printError(withSourcePositions(inspect(error)));
    process.exit(1);
  });
  try {
    loadDotEnv();
    await (await program(argv, out)).parseAsync([...argv]);
  } catch (error) {
    printFailure(error, out);
    process.exitCode = 1;
  }
}

/** The modules of the commands. Only the requested command is loaded; help loads all. */
const COMMANDS = {
  start: () => import('#src/cli/start.ts'),
  check: () => import('#src/cli/check.ts'),
  test: () => import('#src/cli/test.ts'),
  explain: () => import('#src/cli/explain.ts'),
  pause: () => import('#src/cli/pause.ts'),
  resume: () => import('#src/cli/pause.ts'),
  resolve: () => import('#src/cli/resolve.ts'),
  backup: () => import('#src/cli/backup.ts'),
  restore: () => import('#src/cli/backup.ts'),
  preview: () => import('#src/cli/preview.ts'),
  replay: () => import('#src/cli/replay.ts'),
  init: () => import('#src/cli/init.ts'),
  new: () => import('#src/cli/new.ts'),
  schema: () => import('#src/cli/schema.ts'),
  capabilities: () => import('#src/cli/capabilities.ts'),
  auth: () => import('#src/cli/auth.ts'),
  doctor: () => import('#src/cli/doctor.ts'),
  sandbox: () => import('#src/cli/sandbox.ts'),
  bench: () => import('#src/cli/bench.ts'),
} as const;

/** The program with the requested command, or with all commands. */
async function program(argv: readonly string[], out: Terminal): Promise<Command> {
  const fanfare = new Command('fanfare')
    .version(project.version)
    .description('Announcements for gaming and streaming communities from YAML rules. Each post is sent exactly once.')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /u, `${out.paint('red', 'error')} `)) })
    .showHelpAfterError('  add --help for usage');
  const [name = ''] = argv.slice(2);
  const loaders = Object.entries(COMMANDS).filter(([command], _, all) => command === name || !all.some(([known]) => known === name));
  const modules = new Set(await Promise.all(loaders.map(([, load]) => load())));
  for (const { declare } of modules) declare(fanfare, out);
  return fanfare;
}

/** Loads the `.env` file of the working directory, if there is one. Variables of the environment take precedence. */
function loadDotEnv(): void {
  try {
    const found = statSync('.env');
    // A pipe would block, and a device may have no end.
    if (!found.isFile() || found.size > LARGEST_DOT_ENV) throw new Error('not a regular file, or too large');
    process.loadEnvFile();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return;
    const hint = code === 'EACCES' ? 'this user may not read it' : 'it must be a file of at most 1 MB with lines as NAME=value';
    throw new ConfigError('the file cannot be read', { file: '.env', hint });
  }
}
