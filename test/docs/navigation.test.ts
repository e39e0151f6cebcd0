import { basename, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { sidebarOf } from '../../docs/.vitepress/sidebar.ts';
import { pageFiles, readPage } from './pages.ts';

const Front = z.looseObject({ title: z.string().min(1), order: z.number().optional() });

type Item = ReturnType<typeof sidebarOf>[number];

function linksIn(items: readonly Item[]): readonly string[] {
  return items.flatMap(({ link, items: inner = [] }) => [...(link === undefined ? [] : [link]), ...linksIn(inner)]);
}

const pages = pageFiles().filter((file) => file.startsWith('docs/'));
const reachable = new Set(linksIn(sidebarOf(resolve('docs'))));

/** The address of a page on the site, for example `/guides/` or `/operating/docker`. */
function addressOf(file: string): string {
  const path = file.replaceAll('\\', '/').replace(/^docs/u, '').replace(/\.md$/u, '');
  return basename(path) === 'index' ? path.slice(0, -'index'.length) : path;
}

describe.each(pages)('%s', (file) => {
  const { text } = readPage(file);

  test('has a title in its front matter', () => {
    const [, front = ''] = /^---\n([^]*?)\n---\n/u.exec(text) ?? [];

    expect(Front.safeParse(parse(front)).error?.issues ?? []).toEqual([]);
  });

  test('begins with a sentence', () => {
    const [, first = ''] = /^# .+\n\n(.+)$/mu.exec(text.replaceAll(/<!--.*?-->\n\n/gu, '')) ?? [];

    expect(file === 'docs/index.md' || /^[\p{Lu}`].{20,}/u.test(first), first).toBe(true);
  });

  test('has no other tags than those of HTML, because the site reads them', () => {
    const outsideCode = text.replace(/^ *(```+)[^]*?^ *\1|^ {4}.*$/gmu, '').replace(/`+[^`]*`+|<!--[^]*?-->/gu, '');

    expect(outsideCode.match(/<(?!\/?(?:br|code|div|img|kbd)\b|https?:)[a-z][^>\s]*/giu) ?? []).toEqual([]);
  });

  test('is in the navigation', () => {
    expect(file === 'docs/index.md' || reachable.has(addressOf(file))).toBe(true);
  });
});

test('the navigation has no links to missing pages', () => {
  const known = new Set(pages.map(addressOf));

  expect([...reachable].filter((link) => !known.has(link))).toEqual([]);
});
