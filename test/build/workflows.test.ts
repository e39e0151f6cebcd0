import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const Step = z.object({ uses: z.string().optional(), run: z.string().optional() });
const Job = z.object({
  steps: z.array(Step).default([]),
  uses: z.string().optional(),
  needs: z.string().optional(),
  permissions: z.record(z.string(), z.string()).default({}),
});
const Workflow = z.object({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()).optional(),
  jobs: z.record(z.string(), Job),
});
const { scripts, version } = z
  .object({ scripts: z.record(z.string(), z.string()), version: z.string() })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

const FOLDER = '.github/workflows';
const workflows = readdirSync(FOLDER).map((file) => {
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
  return { file, text, ...Workflow.parse(parse(text)) };
});
const jobs = workflows.flatMap(({ file, jobs: all }) => Object.entries(all).map(([name, job]) => ({ file, name, all, ...job })));
const commands = jobs.flatMap(({ steps }) => steps.flatMap(({ run = '' }) => run.split('\n')));

test('there are workflows for tests, releases and the image', () => {
  expect(workflows.map(({ file }) => file).toSorted()).toEqual(['ci.yml', 'image.yml', 'release.yml']);
});

test('every action is pinned to a commit, beside its version', () => {
  const used = workflows.flatMap(({ text }) => text.match(/(?<=\buses: )[^./].*$/gmu) ?? []);

  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((uses) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u.test(uses))).toEqual([]);
});

describe('publishing', () => {
  const publishing = jobs.filter(({ steps }) => steps.some(({ run = '' }) => run.includes('npm publish')));

  test('one job publishes the archive of another job, and runs no script of a package', () => {
    expect(publishing).toHaveLength(1);
    expect(publishing[0]).toMatchObject({ needs: 'pack', permissions: { 'id-token': 'write' } });
    expect(publishing[0]?.steps.map(({ uses = '', run = '' }) => uses.split('@')[0] || run)).toEqual([
      'actions/download-artifact',
      'actions/setup-node',
      'npm publish ./fanfare-*.tgz --ignore-scripts --provenance --access public',
    ]);
  });

  test('jobs that install packages only read', () => {
    const installing = jobs.filter(({ steps }) => steps.some(({ run = '' }) => /npm (?:ci|install)|\.ci\/run/u.test(run)));

    expect(installing.map(({ file, name }) => `${file} ${name}`)).toEqual([
      'ci.yml all',
      'ci.yml pack',
      'ci.yml package',
      'release.yml pack',
    ]);
    expect(installing.flatMap(({ permissions }) => Object.values(permissions))).toEqual(['read']);
  });

  test('no workflow has a secret beside the token of the run', () => {
    expect(new Set(workflows.flatMap(({ text }) => text.match(/secrets\.\w+/gu) ?? []))).toEqual(new Set(['secrets.GITHUB_TOKEN']));
  });
});

test('no workflow names the repository', () => {
  const { repository } = z.object({ repository: z.object({ url: z.string() }) }).parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const [, owner = ''] = /github\.com\/([\w-]+)\//u.exec(repository.url) ?? [];

  expect(owner).not.toBe('');
  expect(workflows.filter(({ text }) => text.includes(owner))).toEqual([]);
});

test('the scripts and files that the workflows call exist', () => {
  const called = commands.flatMap((line) => [...line.matchAll(/npm run ([\w:]+)/gu)].map(([, name = '']) => name));
  const files = commands.flatMap((line) => line.match(/^\.[\w./-]+/gu) ?? []);
  const reused = jobs.flatMap(({ uses = [] }) => uses);

  expect(called.filter((name) => !(name in scripts))).toEqual([]);
  expect(files).toContain('.ci/run');
  expect([...files, ...reused].filter((file) => !existsSync(file))).toEqual([]);
  expect(statSync('.ci/run').mode & 0o100).not.toBe(0);
});

test('jobs wait for existing jobs, and have only read access to the repository by default', () => {
  expect(jobs.filter(({ needs, all }) => needs !== undefined && !(needs in all))).toEqual([]);
  // A workflow that only others call has the permissions of the calling job.
  const started = workflows.filter(({ on }) => Object.keys(on).some((event) => event !== 'workflow_call'));
  expect(started.map(({ file }) => file)).toEqual(['ci.yml', 'release.yml']);
  expect(started.map(({ permissions }) => permissions)).toEqual(started.map(() => ({ contents: 'read' })));
});

test('the version, the changelog and the release agree', () => {
  expect(JSON.parse(readFileSync('.release-please-manifest.json', 'utf8'))).toEqual({ '.': version });
  expect(readFileSync('CHANGELOG.md', 'utf8')).toMatch(new RegExp(`^## (?:\\[)?${version}\\b`, 'mu'));
});

test('issue templates are forms with a label', () => {
  const Form = z.object({
    name: z.string(),
    description: z.string(),
    labels: z.array(z.string()).min(1),
    body: z.array(z.unknown()).min(1),
  });

  for (const name of ['bug', 'feature']) {
    expect(() => Form.parse(parse(readFileSync(`.github/ISSUE_TEMPLATE/${name}.yml`, 'utf8')))).not.toThrow();
  }
});
