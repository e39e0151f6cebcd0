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
    nav: navigationOf(docs),
    sidebar: sidebarOf(docs),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // Decisions explain the code to contributors. Users who search for a key do not look for them.
        _render: (source, env, md) => (env.relativePath.startsWith('decisions/') ? '' : md.render(source, env)),
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
  buildEnd: ({ outDir }) => cpSync(join(docs, 'reference/rule.schema.json'), join(outDir, 'reference/rule.schema.json')),
});

function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}
