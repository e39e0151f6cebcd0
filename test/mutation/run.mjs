#!/usr/bin/env node
// Mutation tests on demand: changes one operator at a time, runs the tests that reach it and prints the mutants that survive.
// npm run test:mutation -- [--limit 60] [--seed N] [--at-once 2] [--min 90] [--tests FOLDER or FILE …] [LAYER, FOLDER, FILE or FILE:LINE …]
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres.ts';
import { mutantsOf, withMutants } from './mutants.mjs';
import { relatedTests } from './related-tests.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The layers, and the folders of their tests. */
const LAYERS = {
  'src/engine': ['test/engine', 'test/store', 'test/discord', 'test/app', 'test/admin', 'test/cli/preview.test.ts'],
  'src/store/postgres': ['test/store'],
  'src/http': ['test/http', 'test/adapters'],
};
/** The bytes of one argument of a process on Linux are limited to 128 KiB. */
const LONGEST_ARGUMENT = 100_000;
/** Most mutants fail one of the fastest tests that reach them. */
const FASTEST = 20;
/** The tests that a survivor runs against take at most this long, measured without a mutant. */
const REACHING_MS = 120_000;
/**
 * A mutant that is reached while modules load may change every test, and so may one in a statement that is compiled at its first use. So this many
 * of the closest files run as a whole.
 */
const CLOSEST = 12;
/** A mutant hangs if its run takes longer than this plus ten times the time of its tests without a mutant. */
const HANGS_MS = 30_000;
/** A run of tests whose time is unknown, and the longest time of each run. */
const TIMEOUT_MS = 120_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'at-once': { type: 'string', default: '2' },
    min: { type: 'string', default: '0' },
    tests: { type: 'string', multiple: true },
  },
});

const paths = positionals.length > 0 ? positionals : Object.keys(LAYERS);
const chosen = paths.flatMap(choose).map((mutant, number) => ({ ...mutant, number }));
const files = [...new Set(chosen.map(({ file }) => file))];
console.log(`${chosen.length} mutants in ${files.length} files, seed ${values.seed}`);

const testsOf = relatedTests(ROOT);
const results = [];
const queue = [...chosen];
/** The running tests. They have their own process groups, which do not end with this process. */
const running = new Set();
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => stop(new Error(`ended by ${signal}`)));
let problem;
const copy = mkdtempSync(join(tmpdir(), 'fanfare-mutants-'));
try {
  for (const path of execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0'))
    if (path !== '' && existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(copy, path));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const file of files)
    writeFileSync(
      join(copy, file),
      withMutants(
        readFileSync(join(ROOT, file), 'utf8'),
        chosen.filter((mutant) => mutant.file === file),
      ),
    );
  const reached = await record();
  await Promise.all(Array.from({ length: Number(values['at-once']) }, () => work(reached).catch(stop)));
} catch (error) {
  stop(error);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
if (problem) throw problem;
report();

/** Ends all runs, so that the servers of this process are stopped before it ends. */
function stop(error) {
  problem ??= error;
  queue.length = 0;
  for (const child of running) end(child);
}

/** Kills a run with its servers. */
function end({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The run has just ended.
    if (error.code !== 'ESRCH') throw error;
  }
}

/** A sample of the mutants of a folder, a file or a line. */
function choose(path) {
  const [, name, line] = /^(.*?)(?::(\d+))?$/u.exec(path.replace(/\/$/u, ''));
  const sources = statSync(join(ROOT, name)).isFile() ? [name] : globSync(`${name}/**/*.ts`, { cwd: ROOT }).toSorted();
  const all = sources.flatMap((file) => mutantsOf(file, readFileSync(join(ROOT, file), 'utf8')));
  return shuffled(
    all.filter((mutant) => line === undefined || lineOf(mutant) === Number(line)),
    Number(values.seed),
  ).slice(0, Number(values.limit));
}

function layerOf(file) {
  return Object.keys(LAYERS).find((layer) => file.startsWith(`${layer}/`)) ?? file.split('/').slice(0, 2).join('/');
}

/** The related tests of a file in the folders of its layer, the closest first. */
function testsFor(file) {
  const folders = values.tests ?? LAYERS[layerOf(file)] ?? [`test/${file.split('/')[1]}`];
  return testsOf(file).filter((test) => folders.some((folder) => `${test}/`.startsWith(`${folder}/`)));
}

/** Runs all tests once without an active mutant. They must pass, and each mutant gets the tests that reach it. */
async function record() {
  const tests = [...new Set(files.flatMap(testsFor))];
  const file = join(copy, 'hits.jsonl');
  const beganMs = performance.now();
  const isFailure = await fails(tests, { FANFARE_MUTANT_HITS: file }, { isBaseline: true });
  if (isFailure) throw new Error('the tests fail without a mutant');
  console.log(`${tests.length} test files without a mutant: ${Math.round((performance.now() - beganMs) / 1_000)} s`);
  const reached = chosen.map(() => ({ tests: [], isReached: false }));
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  for (const { path, name, ms, hits } of lines.filter(Boolean).map((line) => JSON.parse(line)))
    for (const number of hits) {
      reached[number].isReached = true;
      if (name !== undefined) reached[number].tests.push({ path: relative(copy, path), name, ms });
    }
  return reached;
}

async function work(reached) {
  // Mutants that run at the same time must not wait for the locks of each other.
  await using server = await startPostgres();
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const outcome = await test(mutant, reached[mutant.number], server.url);
    if (problem) return;
    results.push({ ...mutant, outcome });
    console.log(`${String(results.length).padStart(4)}  ${outcome.padEnd(8)}  ${describe(mutant)}`);
  }
}

async function test({ file, number }, { tests, isReached }, postgresUrl) {
  const env = { FANFARE_MUTANT: String(number), FANFARE_TEST_POSTGRES: postgresUrl };
  let totalMs = 0;
  let length = 0;
  const sorted = tests
    .toSorted((a, b) => a.ms - b.ms)
    .filter(({ ms, name }) => (totalMs += ms) < REACHING_MS && (length += RegExp.escape(name).length + 1) < LONGEST_ARGUMENT);
  for (const some of [sorted.slice(0, FASTEST), sorted.slice(FASTEST)]) {
    if (some.length === 0) continue;
    const names = `(?:${[...new Set(some.map(({ name }) => RegExp.escape(name)))].join('|')})$`;
    const timeoutMs = Math.min(TIMEOUT_MS, HANGS_MS + 10 * some.reduce((sum, { ms }) => sum + ms, 0));
    if (await fails([...new Set(some.map(({ path }) => path))], env, { names, timeoutMs })) return 'killed';
  }
  if (!isReached) return 'untested';
  return (await fails(testsFor(file).slice(0, CLOSEST), env)) ? 'killed' : 'survived';
}

/** Whether a test fails or hangs. */
function fails(tests, env, { names, timeoutMs = TIMEOUT_MS, isBaseline = false } = {}) {
  if (tests.length === 0 || problem) return false;
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config=test/mutation/vitest.config.ts', '--reporter=dot'];
  args.push(...(isBaseline ? ['--maxWorkers=2'] : ['--maxWorkers=1', '--bail=1']), ...(names ? ['-t', names] : []), ...tests);
  const { promise, resolve } = Promise.withResolvers();
  const stdio = isBaseline ? ['ignore', 'ignore', 'inherit'] : 'ignore';
  const child = spawn(process.execPath, args, { cwd: copy, env: { ...process.env, ...env }, stdio, detached: true });
  running.add(child);
  const timer = isBaseline ? undefined : setTimeout(() => end(child), timeoutMs);
  child.on('exit', (code) => {
    running.delete(child);
    clearTimeout(timer);
    resolve(code !== 0);
  });
  return promise;
}

function report() {
  const survivors = results.filter(({ outcome }) => outcome !== 'killed').toSorted((a, b) => (describe(a) < describe(b) ? -1 : 1));
  for (const layer of new Set(chosen.map(({ file }) => layerOf(file)))) {
    const some = results.filter(({ file }) => layerOf(file) === layer);
    console.log(`${layer}: ${score(some)} % of ${some.length} killed`);
  }
  console.log(`all: ${score(results)} % of ${results.length} killed\n\nsurvivors:`);
  for (const mutant of survivors) console.log(`  ${describe(mutant)}${mutant.outcome === 'untested' ? ' (no test reaches it)' : ''}`);
  if (score(results) < Number(values.min)) process.exitCode = 1;
}

function score(some) {
  return Math.round((some.filter(({ outcome }) => outcome === 'killed').length / Math.max(1, some.length)) * 1000) / 10;
}

function lineOf({ file, start }) {
  return readFileSync(join(ROOT, file), 'utf8').slice(0, start).split('\n').length;
}

function describe(mutant) {
  const { file, operator, start, end, replacement } = mutant;
  const text = readFileSync(join(ROOT, file), 'utf8');
  const short = (part) => part.replaceAll(/\s+/gu, ' ').slice(0, 80);
  return `${file}:${lineOf(mutant)}  ${operator}: ${short(text.slice(start, end))} → ${short(replacement)}`;
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
