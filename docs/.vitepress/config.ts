import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { navigationOf, sidebarOf } from './sidebar.ts';

const docs = join(import.meta.dirname, '..');
/** The icon of Fanfare's page. As a data URL, it also works below a path (`vitepress build docs --base /fanfare/`). */
const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync(join(docs, '../src/web/public/favicon.svg'), 'utf8'))}`;

export default defineConfig({
  title: 'Fanfare',
  description: 'Self-hosted announcements for streaming communities, written as YAML rules.',
  lang: 'en',
  lastUpdated: false,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: icon }]],
  // Any other link to a page that does not exist fails the build.
  ignoreDeadLinks: 'localhostLinks',
  rewrites: { ':folder/README.md': ':folder/index.md' },
  markdown: {
    // The anchors of headings are the same as on GitHub. test/links.test.ts checks them.
    anchor: { slugify: toAnchor },
    // Braces are part of the text. They do not add attributes, and Vue does not evaluate them.
    attrs: { disable: true },
    config: (markdown) => {
      const { renderer } = markdown;
      // On a phone, a row is shown as a block, and each cell shows the heading of its column.
      markdown.core.ruler.push('cell_labels', ({ tokens }) => labelCells(tokens));
      for (const rule of ['text', 'code_inline'] as const) {
        const render = renderer.rules[rule];
        renderer.rules[rule] = (...token) => (render?.(...token) ?? '').replaceAll('{{', '&#123;&#123;');
      }
    },
  },
  // The search index is one chunk, which loads with the first search.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    logo: icon,
    nav: [...navigationOf(docs), { text: 'Repository', link: 'https://github.com/fanfare-bot/fanfare' }],
    sidebar: sidebarOf(docs),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // Decisions explain the code to contributors. Users who search for a key do not look for them.
        _render: (source, env, md) => (env.relativePath.startsWith('decisions/') ? '' : md.render(source, env)),
        // Without stop words, a question finds the page with its other words.
        miniSearch: {
          options: { processTerm },
          searchOptions: { combineWith: 'OR', fuzzy: 0.2, prefix: true, boost: { title: 4, titles: 2 } },
        },
      },
    },
    docFooter: { prev: 'Previous', next: 'Next' },
    notFound: {
      quote: 'This page does not exist. It may have a new address: use the search or the navigation above.',
      linkText: 'Go to the start page',
      linkLabel: 'Go to the start page',
    },
  },
  // Editors load the schema from the site.
  buildEnd: ({ outDir }) => {
    for (const name of ['rule', 'list']) cpSync(join(docs, `reference/${name}.schema.json`), join(outDir, `reference/${name}.schema.json`));
  },
});

/** The term of the index and of searches. The site gets the source of this function, so it uses nothing outside. */
function processTerm(term: string): string | null {
  const stopWords =
    'a about after all also an and any are as at be been before but by can do does for from happen happens has have how i if in into is it its me my no not of on or so some than that the their then there these they this to was what when where which while who why will with without you your';
  const word = term.toLowerCase();
  return stopWords.split(' ').includes(word) ? null : word;
}

interface TableToken {
  readonly type: string;
  readonly content: string;
  attrSet(name: string, value: string): void;
}

/** Gives each cell of a table the heading of its column as `data-label`. */
function labelCells(tokens: readonly TableToken[]): void {
  let headings: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'thead_open') headings = [];
    else if (token.type === 'tr_open') column = 0;
    else if (token.type === 'th_open') headings.push(tokens[index + 1]?.content ?? '');
    else if (token.type === 'td_open') token.attrSet('data-label', headings[column++] ?? '');
  }
}

function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}
