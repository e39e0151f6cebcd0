#!/usr/bin/env node
// `npm run check`: types, lint, format, dead code and wording. Independent parts run at the same time: some use one core only.
import { spawn } from 'node:child_process';

const PARTS = [
  ['npm run lint:text'],
  ['tsc -p .', 'tsc -p src/web/browser', 'tsc -p docs/.vitepress'],
  ['knip'],
  ['npm run lint', 'oxfmt --check .'],
];
const AT_ONCE = 2;

/** Runs a command, and prints its output when it ends. */
async function passes(command) {
  const output = [];
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  process.stdout.write(Buffer.concat(output));
  if (code !== 0) console.error(`failed: ${command}`);
  return code === 0;
}

const waiting = [...PARTS];
let isPassed = true;
async function work() {
  for (let part = waiting.shift(); part; part = waiting.shift()) for (const command of part) if (!(await passes(command))) isPassed = false;
}
await Promise.all(Array.from({ length: AT_ONCE }, work));
process.exitCode = isPassed ? 0 : 1;
