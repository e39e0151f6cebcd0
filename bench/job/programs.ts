import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFanfare } from '../child-process.ts';
import { startNodeRed } from './node-red.ts';
import { RULE } from './rule.ts';
import type { StartProgram } from './run.ts';

export interface FanfareOptions {
  /** The folder for its data and its rule. */
  readonly folder: string;
  readonly discord?: boolean;
  /** Another installation than the one of the benchmark. */
  readonly installation?: string;
}

/** Fanfare with the rule of the job, as `npm start` runs it. */
export function fanfare({ folder, discord = false, installation }: FanfareOptions): StartProgram {
  const base = writeRule(folder);
  const wanted = discord ? /^(TWITCH|SANDBOX|DISCORD)_/ : /^(TWITCH|SANDBOX)_/;
  return (environment) => {
    const accounts = Object.fromEntries(Object.entries(environment).filter(([name]) => wanted.test(name)));
    return startFanfare({ ...base, ...accounts }, installation);
  };
}

/** Fanfare without an account: it runs the sandbox in its process and connects to its Discord. */
export function fanfareWithSandbox(folder: string): ReturnType<typeof startFanfare> {
  return startFanfare(writeRule(folder));
}

function writeRule(folder: string): Readonly<Record<string, string>> {
  const rules = join(folder, 'rules');
  mkdirSync(rules, { recursive: true });
  writeFileSync(join(rules, 'top-five.yaml'), RULE);
  return { FANFARE_DATA: join(folder, 'data'), FANFARE_RULES: rules, PORT: '0', LOG_LEVEL: 'error' };
}

/** Node-RED with a flow that does the same job. */
export function nodeRed(folder: string, { editor }: { readonly editor: boolean }): StartProgram {
  return (environment) => startNodeRed({ folder, environment, editor });
}

const INSTALLED = ['bin', 'src', 'adapters', 'sandbox', 'rules', 'package.json', 'package-lock.json', 'tsconfig.json'];

/** A copy of the installation that has never run: without cached code, and built as `npm ci` does. */
export function freshInstallation(folder: string): string {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  for (const name of INSTALLED) if (existsSync(name)) cpSync(name, join(folder, name), { recursive: true, dereference: true });
  for (const name of readdirSync('node_modules'))
    if (name !== '.cache') symlinkSync(join(process.cwd(), 'node_modules', name), join(folder, 'node_modules', name));
  build(folder);
  return folder;
}

/** Builds an installation if it has a build. */
export function build(folder: string): void {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts: Record<string, string> }; // the manifest of the project
  if (!scripts['build']) return;
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`the build of ${folder} failed`);
}
