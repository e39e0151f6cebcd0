import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';

interface Asset {
  readonly type: string;
  /** Files in `public/`. The server joins several files into one answer. */
  readonly files: readonly string[];
}

const ASSETS: Readonly<Record<string, Asset>> = {
  '/page.css': {
    type: 'text/css; charset=utf-8',
    files: ['theme.css', 'layout.css', 'actions.css', 'entries.css', 'streams.css', 'discord.css'],
  },
  '/page.js': { type: 'text/javascript; charset=utf-8', files: ['page.js'] },
  '/actions.js': { type: 'text/javascript; charset=utf-8', files: ['actions.js'] },
  '/favicon.svg': { type: 'image/svg+xml; charset=utf-8', files: ['favicon.svg'] },
};

/** The styles, the script and the icon of the page, read once at start. */
export async function assets(): Promise<Hono> {
  const routes = new Hono();
  for (const [path, { type, files }] of Object.entries(ASSETS)) {
    const contents = await Promise.all(files.map((file) => readFile(new URL(`./public/${file}`, import.meta.url), 'utf8')));
    routes.get(path, (c) => c.body(contents.join('\n'), 200, { 'Content-Type': type, 'Cache-Control': 'no-cache' }));
  }
  return routes;
}
