import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const pages = ['README.md', ...globSync('docs/**/*.md')];

test.for(pages)('every link and picture in %s has a target', (page) => {
  const broken = linksIn(page).filter((target) => !exists(target, page));

  expect(broken).toEqual([]);
});

/** Decisions also name files of their time. */
const current = ['CONTRIBUTING.md', ...pages].filter((page) => !/^docs.decisions/u.test(page));

test.for(current)('every path in %s exists', (page) => {
  const missing = pathsIn(page).filter((path) => globSync(path.replaceAll(/<[^>]*>/gu, '*')).length === 0);

  expect(missing).toEqual([]);
});

test('the paths of a poll and of a delivery are checked', () => {
  const paths = pathsIn('docs/explanation/architecture.md');

  expect(paths.length).toBeGreaterThan(50);
  expect(paths).toContain('src/engine/scheduler/slot-runner.ts');
  expect(paths).toContain('adapters/<platform>/operations/<topic>.ts');
});

test('every page clones the repository that package.json names', () => {
  const { repository } = JSON.parse(readFileSync('package.json', 'utf8')) as { repository: { url: string } }; // every package.json with a repository
  const [, name] = /github\.com\/([\w-]+\/[\w-]+)\.git$/u.exec(repository.url) ?? [];
  const cloned = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/git clone \S*github\.com\/([\w-]+\/[\w-]+)/gu)].map(([, found]) => ({ page, found })),
  );

  expect(name).toBeDefined();
  expect(cloned.length).toBeGreaterThan(3);
  expect(cloned.filter(({ found }) => found !== name)).toEqual([]);
});

test('the check finds links to missing files and headings', () => {
  const targets = [
    'docs/explanation/episodes.md',
    'docs/explanation/episodes.md#example',
    '#try-it',
    'docs/page.png',
    'docs/none.md',
    '#none',
    'docs/explanation/episodes.md#none',
  ];

  expect(targets.filter((target) => !exists(target, 'README.md'))).toEqual(['docs/none.md', '#none', 'docs/explanation/episodes.md#none']);
});

/** The files and folders of the project that a page names. A part in angle brackets is a placeholder. */
function pathsIn(page: string): readonly string[] {
  const folders = /(?<![\w/.:$-])(?:adapters|bench|bin|contrib|docs|sandbox|src|test)\/[\w./<>*-]*[\w/>*]/gu;
  return [...readFileSync(page, 'utf8').matchAll(folders)].map(([path]) => path);
}

/** The link targets of a page within the project. */
function linksIn(page: string): readonly string[] {
  const text = withoutCode(readFileSync(page, 'utf8')).replaceAll(/`[^`\n]+`/gu, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/gu)].map(([, target = '']) => target);
  return targets.filter((target) => !/^[a-z]+:/iu.test(target));
}

function exists(target: string, page: string): boolean {
  const [path = '', heading] = target.split('#');
  const file = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(file)) return false;
  return heading === undefined || anchorsIn(file).has(heading);
}

const anchors = new Map<string, ReadonlySet<string>>();

function anchorsIn(page: string): ReadonlySet<string> {
  const found = anchors.get(page) ?? readAnchors(page);
  anchors.set(page, found);
  return found;
}

/** The anchors of the headings of a page. */
function readAnchors(page: string): ReadonlySet<string> {
  const headings = [...withoutCode(readFileSync(page, 'utf8')).matchAll(/^#{1,6} (.+)$/gmu)].map(([, text = '']) => toAnchor(text));
  const written = [...readFileSync(page, 'utf8').matchAll(/\b(?:id|name)="([^"]+)"/gu)].map(([, id = '']) => id);
  const counted = headings.map((anchor, index) => {
    const before = headings.slice(0, index).filter((other) => other === anchor).length;
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  return new Set([...counted, ...written]);
}

function toAnchor(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** The text without code blocks, where brackets are no links and `#` is no heading. */
function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^(?<fence>```+).*?^\k<fence>/gmsu, '');
}
