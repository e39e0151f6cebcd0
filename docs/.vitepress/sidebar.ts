import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { parse } from 'yaml';

type Item = DefaultTheme.SidebarItem;

interface Page {
  readonly name: string;
  readonly title: string;
  readonly order: number;
  readonly text: string;
}

const SECTIONS = [
  { folder: 'guides', text: 'Guides' },
  { folder: 'reference', text: 'Reference' },
  { folder: 'operating', text: 'Operating' },
  { folder: 'explanation', text: 'Explanation' },
];

/** The sidebar, made from the folders of docs/ and the front matter `title` and `order` of their pages. */
export function sidebarOf(docs: string): Item[] {
  const sections = SECTIONS.filter(({ folder }) => existsSync(join(docs, folder))).map(({ folder, text }) => {
    const pages = pagesIn(join(docs, folder));
    const index = pages.find(({ name }) => name === 'index');
    const others = pages.filter((page) => page !== index);
    const items = index ? byTopic(index.text, others, folder) : nested(others, folder);
    return { text, collapsed: true, ...(index && { link: `/${folder}/` }), items };
  });
  return [{ text: 'Tutorial', link: '/tutorial' }, ...sections];
}

/** The first page of each section, for the navigation at the top. */
export function navigationOf(docs: string): DefaultTheme.NavItemWithLink[] {
  return sidebarOf(docs).flatMap(({ text = '', link, items }) => {
    const first = link ?? items?.[0]?.link;
    return first === undefined ? [] : [{ text, link: first, activeMatch: `^${first.replace(/[^/]+$/u, items ? '' : '$&')}` }];
  });
}

function pagesIn(folder: string): readonly Page[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => {
      const source = readFileSync(join(folder, file), 'utf8');
      const [, head = ''] = /^---\n([^]*?)\n---\n/u.exec(source) ?? [];
      // The front matter of a page is a map or empty; other pages fail the check of front matter.
      const { title, order } = (parse(head) ?? {}) as { title?: string; order?: number };
      const heading = /^# (.+)$/mu.exec(source)?.[1];
      const name = file.replace(/\.md$/u, '');
      return { name, title: title ?? heading ?? name, order: order ?? Number.POSITIVE_INFINITY, text: source };
    })
    .toSorted((a, b) => (a.order === b.order ? a.title.localeCompare(b.title, 'en') : a.order - b.order));
}

/** The pages in the groups of an index page: each heading of the index is a group of the pages that it links, in its order. */
function byTopic(index: string, pages: readonly Page[], folder: string): Item[] {
  const groups = index
    .split(/^## /mu)
    .slice(1)
    .map((part) => {
      const linked = [...part.matchAll(/\]\((?:\.\/)?([\w-]+)\.md\)/gu)].map(([, name]) => name);
      return { text: part.split('\n', 1)[0] ?? '', pages: linked.flatMap((name) => pages.find((page) => page.name === name) ?? []) };
    })
    .filter((group) => group.pages.length > 0);
  const listed = new Set(groups.flatMap((group) => group.pages));
  const rest = pages.filter((page) => !listed.has(page));
  return [...groups.map((group) => ({ text: group.text, collapsed: true, items: nested(group.pages, folder) })), ...nested(rest, folder)];
}

/** The pages as a tree: `operations-posts` is below `operations`. */
function nested(pages: readonly Page[], folder: string): Item[] {
  const parentOf = (page: Page): Page | undefined =>
    pages
      .filter(({ name }) => page.name.startsWith(`${name}-`))
      .toSorted((a, b) => a.name.length - b.name.length)
      .at(0);
  const toItem = (page: Page): Item => ({ text: page.title, link: `/${folder}/${page.name}` });
  return pages
    .filter((page) => parentOf(page) === undefined)
    .map((page) => {
      const children = pages.filter((other) => parentOf(other) === page);
      return { ...toItem(page), ...(children.length > 0 && { collapsed: true, items: children.map(toItem) }) };
    });
}
