import { Hono } from 'hono';
import { raw } from 'hono/html';
import { fetch } from 'undici';
import type { Html } from '#src/web/page/inline/elements.ts';

const PATH = '/sandbox-pictures';
/** The longest wait for a picture of the sandbox. */
const TIMEOUT_MS = 5_000;

/**
 * Serves the pictures of the sandbox under the address of the page. A browser on another machine or outside a container cannot reach the
 * sandbox itself.
 */
export function sandboxPictures(origin: string): Hono {
  return new Hono().get(`${PATH}/*`, async (c) => {
    const { pathname, search } = new URL(c.req.url);
    // The path is appended and not resolved, so no path can lead to another server.
    const answer = await fetch(`${origin}${pathname.slice(PATH.length)}${search}`, {
      redirect: 'error',
      signal: AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    }).catch(() => undefined);
    const type = answer?.headers.get('content-type') ?? '';
    if (!answer?.ok || !type.startsWith('image/')) {
      await answer?.body?.cancel();
      return c.notFound();
    }
    return c.body(await answer.arrayBuffer(), 200, { 'Content-Type': type });
  });
}

/** Replaces the addresses of sandbox pictures in a part of the page. */
export async function withSandboxPictures(part: Html | Promise<Html>, origin: string | undefined): Promise<Html> {
  const whole = await part;
  // Quotes in texts are escaped, so this text only occurs in attributes.
  return origin === undefined ? whole : raw(String(whole).replaceAll(`src="${origin}/`, `src="${PATH}/`));
}
