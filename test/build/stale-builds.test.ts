import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { tinyProject } from './tiny-project.ts';

const project = tinyProject();
const text = join(project.path, 'src/text.ts');
afterAll(() => project[Symbol.dispose]());

beforeEach(() => {
  writeFileSync(text, "export const text = 'one';");
  project.build();
  if (project.run() !== 'build one') throw new Error('the build does not run');
});

describe('a stale build does not run', () => {
  test('after an edit with the same size and time', () => {
    const { atime, mtime } = statSync(text);
    writeFileSync(text, "export const text = 'two';");
    utimesSync(text, atime, mtime);

    expect(project.run()).toBe('sources two');
  });

  test('after another version of a file with an older time was moved into place', () => {
    const old = new Date('2020-01-01T00:00:00Z');
    writeFileSync(`${project.path}/other`, "export const text = 'old';");
    utimesSync(`${project.path}/other`, old, old);
    renameSync(`${project.path}/other`, text);

    expect(project.run()).toBe('sources old');
  });

  test('after a file was added', () => {
    writeFileSync(join(project.path, 'src/web/added.ts'), '');

    expect(project.run()).toBe('sources one');
    rmSync(join(project.path, 'src/web/added.ts'));
  });

  test('after a file was deleted', () => {
    writeFileSync(join(project.path, 'src/extra.ts'), '');
    project.build();
    expect(project.run()).toBe('build one');
    rmSync(join(project.path, 'src/extra.ts'));

    expect(project.run()).toBe('sources one');
  });

  test('after the packages changed', () => {
    writeFileSync(join(project.path, 'package.json'), '{ "type": "module", "name": "other" }');

    expect(project.run()).toBe('sources one');
  });
});

test('a start with --build builds first, and the next one reuses the build', () => {
  writeFileSync(text, "export const text = 'new';");

  expect(project.run('start', '--build')).toBe('build new');
  const { mtimeMs } = statSync(join(project.path, 'dist/build.json'));
  expect(project.run('start', '--build')).toBe('build new');
  expect(statSync(join(project.path, 'dist/build.json')).mtimeMs).toBe(mtimeMs);
});

test('a source with an error runs as a source, which reports the error', () => {
  writeFileSync(text, 'export const text = ;');

  expect(project.run('start', '--build')).toBe('');
  writeFileSync(text, "export const text = 'one';");
});

test('a killed build leaves nothing that runs, and the next build completes', async () => {
  rmSync(join(project.path, 'dist'), { recursive: true });
  const child = spawn(process.execPath, ['bin/build.mjs'], { cwd: project.path, stdio: 'ignore' });
  while (!existsSync(join(project.path, 'dist'))) await sleep(5);
  child.kill('SIGKILL');
  await once(child, 'exit');

  expect(project.run()).toBe('sources one');
  expect(project.build()).toBe(0);
  expect(project.run()).toBe('build one');
});

test('simultaneous builds leave one complete build', async () => {
  rmSync(join(project.path, 'dist'), { recursive: true });
  const builds = [1, 2, 3].map(() => once(spawn(process.execPath, ['bin/build.mjs'], { cwd: project.path, stdio: 'ignore' }), 'exit'));

  expect(await Promise.all(builds)).toEqual([0, 0, 0].map((code) => [code, null]));
  expect(project.run()).toBe('build one');
});

test('a folder without sources runs the build that it was installed with', () => {
  const before = readFileSync(join(project.path, 'dist/build.json'), 'utf8');
  rmSync(join(project.path, 'src'), { recursive: true });

  expect(project.run()).toBe('build one');
  expect(readFileSync(join(project.path, 'dist/build.json'), 'utf8')).toBe(before);
});
