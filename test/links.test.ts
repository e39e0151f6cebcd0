import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const pages = ['README.md', ...globSync('docs/**/*.md')];

test.for(pages)('every link and picture in %s has a target', (page) => {
  const broken = linksIn(page).filter((target) => !exists(target, page));

  expect(broken).toEqual([]);
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

/** The anchors of the headings of a page. */
function anchorsIn(page: string): ReadonlySet<string> {
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
