import { readFile } from 'node:fs/promises';
import { Hono, type Context } from 'hono';
import { lateModule } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { answerNotFound } from './answers.ts';
import { LANGUAGES } from './language.ts';

interface Asset {
  readonly type: string;
  /** Files in `public/`. The server joins several files into one answer. */
  readonly files: readonly string[];
}

const SCRIPT = 'text/javascript; charset=utf-8';

const ASSETS: Readonly<Record<string, Asset>> = {
  '/page.css': {
    type: 'text/css; charset=utf-8',
    files: [
      'theme.css',
      'layout.css',
      'navigation.css',
      'actions.css',
      'entries.css',
      'streams.css',
      'discord.css',
      'views.css',
      'forms.css',
      'rules.css',
      'replay.css',
      'episodes.css',
      'accounts.css',
      'overview.css',
      'sandbox.css',
      'sandbox-discord.css',
      'print.css',
    ],
  },
  '/demo.js': { type: SCRIPT, files: ['demo.js'] },
  '/favicon.svg': { type: 'image/svg+xml; charset=utf-8', files: ['favicon.svg'] },
};

const loadViewScript = lateModule('the script of the views', () => import('./view-script.ts'));

/** The styles, the scripts and the icon of the page, read once at start; the scripts of the views at their first request. */
export async function assets(log: Log): Promise<Hono> {
  const routes = new Hono();
  for (const [path, { type, files }] of Object.entries(ASSETS)) {
    const contents = await Promise.all(files.map((file) => readFile(new URL(`./public/${file}`, import.meta.url), 'utf8')));
    routes.get(path, (c) => c.body(contents.join('\n'), 200, { 'Content-Type': type, 'Cache-Control': 'no-cache' }));
  }
  for (const language of LANGUAGES) routes.get(`/views.${language}.js`, (c) => answerScript(c, `views.${language}.js`, 'no-cache'));
  // Their names have the hash of their content.
  routes.get('/views/:part', (c) => answerScript(c, `views/${c.req.param('part')}`, 'public, max-age=31536000, immutable'));
  return routes;

  async function answerScript(c: Context, name: string, caching: string): Promise<Response> {
    const script = await (await loadViewScript()).viewScript(name, log);
    return script === undefined ? answerNotFound(c) : c.body(script, 200, { 'Content-Type': SCRIPT, 'Cache-Control': caching });
  }
}
