import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';

/** What `npm run check` runs, one by one, so that a failure says which. */
const CHECKS = [
  ['the types hold', ['tsc', '-p', '.']],
  ['the linter has nothing to say', ['oxlint', '--type-aware']],
  ['the format is the one of the project', ['oxfmt', '--check', '.']],
  ['there is no dead code', ['knip']],
] as const;

describe.concurrent('npm run check', () => {
  test.for(CHECKS)('%s', { timeout: 120_000 }, ([, [command, ...args]]) => {
    const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${command}`, args, { encoding: 'utf8' });

    expect(status, `${stdout}${stderr}`).toBe(0);
  });
});
