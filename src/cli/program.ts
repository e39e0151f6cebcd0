import { Command } from 'commander';
import project from '../../package.json' with { type: 'json' };
import type { Terminal } from './terminal.ts';

/** The modules of the commands. Only the requested command is loaded; help loads all. */
const COMMANDS = {
  start: () => import('./start.ts'),
  check: () => import('./check.ts'),
  test: () => import('./test.ts'),
  explain: () => import('./explain.ts'),
  pause: () => import('./pause.ts'),
  resume: () => import('./pause.ts'),
  resolve: () => import('./resolve.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./backup.ts'),
  preview: () => import('./preview.ts'),
  replay: () => import('./replay.ts'),
  init: () => import('./init.ts'),
  new: () => import('./new.ts'),
  schema: () => import('./schema.ts'),
  capabilities: () => import('./capabilities.ts'),
  auth: () => import('./auth.ts'),
  doctor: () => import('./doctor.ts'),
  sandbox: () => import('./sandbox.ts'),
  bench: () => import('./bench.ts'),
} as const;

/** The program with the requested command, or with all commands. */
export async function program(argv: readonly string[], out: Terminal): Promise<Command> {
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
