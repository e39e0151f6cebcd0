#!/usr/bin/env node
// Mutation tests on demand: changes one operator of the core at a time, runs the closest tests and prints the mutants that survive.
// npm run test:mutation -- [--limit 200] [--seed 1] [--at-once 2] [--min 90] [FILE or FOLDER …]
import { spawn } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutantsOf } from './mutants.mjs';
import { relatedTests } from './related-tests.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LAYERS = ['src/rules', 'src/delivery', 'src/scheduler', 'src/planner'];
const COPIED = ['src', 'adapters', 'sandbox', 'test', 'rules', 'docs', 'bin', 'package.json', 'tsconfig.json', 'vitest.config.ts'];
/** Most mutants fail one of the closest tests. Survivors run against all related tests of their layer. */
const CLOSEST = 8;
/** Longer runs mean that the mutant loops. */
const TIMEOUT_MS = 300_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '2' },
    min: { type: 'string', default: '0' },
  },
});

const testsOf = relatedTests(ROOT);
const sources = (positionals.length > 0 ? positionals : LAYERS)
  .flatMap((path) => (statSync(join(ROOT, path)).isFile() ? [path] : globSync(`${path}/**/*.ts`, { cwd: ROOT })))
  .toSorted();
const all = sources.flatMap((file) => mutantsOf(file, readFileSync(join(ROOT, file), 'utf8')));
const chosen = shuffled(all, Number(values.seed)).slice(0, Number(values.limit));
console.log(`${chosen.length} of ${all.length} mutants in ${sources.length} files, seed ${values.seed}`);

const results = [];
const queue = [...chosen];
const checked = new Set();
await Promise.all(Array.from({ length: Number(values['at-once']) }, work));
report();

/** Tests mutants in a copy of the project, so that an interrupted run leaves no mutant behind. */
async function work() {
  const copy = mkdtempSync(join(tmpdir(), 'fanfare-mutants-'));
  try {
    for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      await requirePassing(copy, mutant.file);
      const path = join(copy, mutant.file);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end));
      const outcome = await test(copy, mutant.file);
      writeFileSync(path, text);
      results.push({ ...mutant, outcome });
      console.log(`${String(results.length).padStart(4)}  ${outcome.padEnd(8)}  ${describe(mutant)}`);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Every test fails on a mutant if it fails without one, so the tests of each file must pass first. */
async function requirePassing(copy, file) {
  if (checked.has(file)) return;
  checked.add(file);
  const tests = testsFor(file);
  if (tests.length > 0 && (await fails(copy, tests))) throw new Error(`the tests of ${file} fail without a mutant: ${tests.join(' ')}`);
}

function testsFor(file) {
  return testsOf(file, `test/${file.split('/')[1]}/`);
}

async function test(copy, file) {
  const related = testsFor(file);
  if (related.length === 0) return 'untested';
  if (await fails(copy, related.slice(0, CLOSEST))) return 'killed';
  const rest = related.slice(CLOSEST);
  return rest.length > 0 && (await fails(copy, rest)) ? 'killed' : 'survived';
}

/** Whether a test fails or hangs. */
function fails(copy, tests) {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--reporter=dot', '--maxWorkers=1', ...tests];
  const { promise, resolve } = Promise.withResolvers();
  const child = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore', timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
  child.on('exit', (code) => resolve(code !== 0));
  return promise;
}

function report() {
  const survivors = results.filter(({ outcome }) => outcome !== 'killed').toSorted((a, b) => (describe(a) < describe(b) ? -1 : 1));
  for (const layer of new Set(sources.map((file) => file.split('/').slice(0, 2).join('/')))) {
    const own = results.filter(({ file }) => file.startsWith(`${layer}/`));
    if (own.length > 0) console.log(`${layer}: ${score(own)} % of ${own.length} killed`);
  }
  console.log(`all: ${score(results)} % of ${results.length} killed\n\nsurvivors:`);
  for (const mutant of survivors) console.log(`  ${describe(mutant)}${mutant.outcome === 'untested' ? ' (no related test)' : ''}`);
  if (score(results) < Number(values.min)) process.exitCode = 1;
}

function score(some) {
  return Math.round((some.filter(({ outcome }) => outcome === 'killed').length / Math.max(1, some.length)) * 1000) / 10;
}

function describe({ file, operator, start, end, replacement }) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const before = text.slice(0, start).split('\n');
  const short = (part) => part.replaceAll(/\s+/gu, ' ').slice(0, 60);
  const line = text.split('\n')[before.length - 1]?.trim() ?? '';
  return `${file}:${before.length}:${before.at(-1).length + 1}  ${operator}: ${short(text.slice(start, end))} → ${short(replacement)}   | ${short(line)}`;
}

/** A reproducible order: mulberry32 and Fisher-Yates. */
function shuffled(list, seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
  const result = [...list];
  for (let index = result.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [result[index], result[other]] = [result[other], result[index]];
  }
  return result;
}
