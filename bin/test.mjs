#!/usr/bin/env node
// Runs the tests and prints one line made from the runner's report. `--deep` runs the deep tests; other arguments go to Vitest.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'fanfare-test-'));
const report = join(directory, 'report.json');

const passedOn = process.argv.slice(2).filter((argument) => argument !== '--deep');
const env = process.argv.includes('--deep') ? { ...process.env, FANFARE_DEEP: '1' } : process.env;
const args = [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...passedOn];
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });

const counts = readCounts();
rmSync(directory, { recursive: true, force: true });
saveCounts();
// A change that no test imports has no tests.
const hasTests = counts.passed > 0 || passedOn.some((argument) => argument.startsWith('--changed'));
process.exitCode = status || (counts.failed > 0 || !hasTests ? 1 : 0);
for (const failure of counts.failures) console.log(`failed: ${failure}`);
console.log(`${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`);

function readCounts() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    // A file that cannot be loaded has no tests to count. If its set-up fails, all its tests are skipped.
    const broken = testResults.filter(({ status: state, assertionResults }) => {
      return state === 'failed' && assertionResults.every((result) => result.status !== 'failed');
    });
    const failures = testResults.flatMap(({ name, assertionResults }) => {
      const file = relative(process.cwd(), name);
      const failed = assertionResults.filter(({ status: state }) => state === 'failed');
      return failed.map(({ fullName, failureMessages }) => `${file} > ${fullName}: ${failureMessages[0]?.split('\n')[0]}`);
    });
    const unloaded = broken.map(({ name, message }) => `${relative(process.cwd(), name)}: ${message.split('\n')[0]}`);
    return {
      passed: numPassedTests,
      failed: numFailedTests + broken.length,
      skipped: numPendingTests,
      failures: [...failures, ...unloaded],
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failures: ['the tests ended without a report'] };
  }
}

/** `.ci/run` adds up the counts of all runs. */
function saveCounts() {
  const folder = process.env.FANFARE_TEST_COUNTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(counts));
}
