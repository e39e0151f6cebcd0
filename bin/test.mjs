#!/usr/bin/env node
// Runs the tests and closes with one line made from the runner's own report.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'fanfare-test-'));
const report = join(directory, 'report.json');

const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, [vitest, ...args], { stdio: 'inherit' });

let exitCode = status ?? 1;
try {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  // A file that could not be loaded has no tests to count.
  const broken = testResults.filter(({ status: state, assertionResults }) => state === 'failed' && assertionResults.length === 0).length;
  const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
  if (numPassedTests === 0 || broken > 0) exitCode ||= 1;
  console.log(`${numPassedTests} passed, ${numFailedTests + broken} failed${skipped}`);
} catch {
  exitCode ||= 1;
  console.log('0 passed, 1 failed');
}
rmSync(directory, { recursive: true, force: true });
process.exitCode = exitCode;
