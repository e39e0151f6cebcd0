import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
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

test('a build runs after the first npx of a user, which sets the mode of the script again', () => {
  chmodSync(join(project.path, 'bin/fanfare.mjs'), 0o755);

  expect(project.run()).toBe('build one');
});

describe('a damaged build does not run', () => {
  const file = join(project.path, 'dist/build.json');
  const NOTICE = /^fanfare: dist\/ does not contain a build of these sources, so Fanfare runs from the sources\./u;

  test('with a cut build.json, and the next start with --build builds again', () => {
    for (const content of ['{', 'null', '[]', '{}', '{"folder":1,"inputs":{}}', '{"folder":"gone","inputs":[]}', '\0'.repeat(64), '']) {
      writeFileSync(file, content);
      expect(project.run(), JSON.stringify(content)).toBe('sources one');
    }

    expect(project.fail('start')).toEqual({ status: 0, stderr: expect.stringMatching(NOTICE) });
    expect(project.run('start', '--build')).toBe('build one');
  });

  test('without its main file', () => {
    const { folder } = z.object({ folder: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8')));
    rmSync(join(project.path, 'dist', folder, 'main.js'));

    expect(project.run()).toBe('sources one');
  });

  test('after the folder was copied, and a start reports it', () => {
    const copy = `${project.path}/copy`;
    for (const part of ['bin', 'src', 'dist', 'package.json', 'sandbox', 'adapters']) {
      cpSync(join(project.path, part), join(copy, part), { recursive: true });
    }
    const { stdout, stderr } = spawnSync(process.execPath, ['bin/fanfare.mjs', 'start'], { cwd: copy, encoding: 'utf8' });

    expect([stdout.trim(), stderr]).toEqual(['sources one', expect.stringMatching(NOTICE)]);
  });
});

test('build.json is replaced after all files of the build are on the disk', () => {
  const record = join(project.path, 'record.mjs');
  const log = join(project.path, 'record.txt');
  writeFileSync(
    record,
    `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { fsyncSync, renameSync } = fs;
    const note = (line) => fs.appendFileSync(${JSON.stringify(log)}, line + '\\n');
    fs.fsyncSync = (file) => { note('sync ' + fs.readlinkSync('/proc/self/fd/' + file)); return fsyncSync(file); };
    fs.renameSync = (from, to) => { note('rename ' + to); return renameSync(from, to); };
    syncBuiltinESMExports();`,
  );
  rmSync(join(project.path, 'dist'), { recursive: true });

  spawnSync(process.execPath, ['--import', record, 'bin/build.mjs'], { cwd: project.path });

  const dist = join(project.path, 'dist');
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  const { folder } = z.object({ folder: z.string() }).parse(JSON.parse(readFileSync(join(dist, 'build.json'), 'utf8')));
  const synced = ['', 'main.js', 'build.json', 'public'].map((name) => `sync ${join(dist, folder, name).replace(/\/$/u, '')}`);
  expect(lines).toEqual(expect.arrayContaining(synced));
  expect(lines.slice(-2)).toEqual([`rename ${join(dist, 'build.json')}`, `sync ${dist}`]);
});

test('without packages, a sentence names the missing one', () => {
  writeFileSync(text, "import 'no-such-package';\nexport const text = 'one';");

  expect(project.fail('check')).toEqual({
    status: 78,
    stderr: 'The package no-such-package is not installed. Run npm ci, or wait until it has ended.',
  });
  writeFileSync(text, "export const text = 'one';");
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

test('the trial start of a program that ends at once ends too', () => {
  rmSync(join(project.path, 'dist'), { recursive: true });

  expect(spawnSync(process.execPath, ['bin/build.mjs'], { cwd: project.path, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

/** Kills the build at a call of the file system. */
const killedAt = (call: string): string =>
  `data:text/javascript,import fs from 'node:fs';import { syncBuiltinESMExports } from 'node:module';
  fs.${call} = () => process.kill(process.pid, 'SIGKILL');syncBuiltinESMExports();`;

// The bundle is written before these calls, and the last one completes the build.
test.for(['mkdtempSync', 'fsyncSync', 'renameSync'])(
  'a build that is killed at %s leaves nothing that runs, and the next build completes',
  (call) => {
    rmSync(join(project.path, 'dist'), { recursive: true });
    const { signal } = spawnSync(process.execPath, ['--import', killedAt(call), 'bin/build.mjs'], { cwd: project.path, stdio: 'ignore' });

    expect(signal).toBe('SIGKILL');
    expect(project.run()).toBe('sources one');
    expect(project.build()).toBe(0);
    expect(project.run()).toBe('build one');
  },
);

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

  writeFileSync(join(project.path, 'dist/build.json'), '');
  expect(project.fail()).toEqual({ status: 78, stderr: `The build of Fanfare in ${project.path} is damaged. Install Fanfare again.` });
});
