import { Hono } from 'hono';
import { raw } from 'hono/html';
import { fetch } from 'undici';
import type { Html } from './page/inline/html.ts';

const PATH = '/sandbox-pictures';
/** So long the page waits for a picture of the sandbox. */
const PATIENCE_MS = 5_000;

/** The pictures of the sandbox at the address of the page: a browser on another machine, or outside a container, cannot reach the sandbox. */
export function sandboxPictures(origin: string): Hono {
  return new Hono().get(`${PATH}/*`, async (c) => {
    const { pathname, search } = new URL(c.req.url);
    // Appended, not resolved: no path leads to another server.
    const answer = await fetch(`${origin}${pathname.slice(PATH.length)}${search}`, {
      redirect: 'error',
      signal: AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(PATIENCE_MS)]),
    }).catch(() => undefined);
    const type = answer?.headers.get('content-type') ?? '';
    if (!answer?.ok || !type.startsWith('image/')) {
      await answer?.body?.cancel();
      return c.notFound();
    }
    return c.body(await answer.arrayBuffer(), 200, { 'Content-Type': type });
  });
}

/** A part of the page that shows the pictures of the sandbox from there. */
export async function withSandboxPictures(part: Html | Promise<Html>, origin: string | undefined): Promise<Html> {
  const whole = await part;
  // Quotes in texts are escaped, so that this is found in attributes alone.
  return origin === undefined ? whole : raw(String(whole).replaceAll(`src="${origin}/`, `src="${PATH}/`));
}
