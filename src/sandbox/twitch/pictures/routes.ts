import { Hono } from 'hono';
import type { World } from '../../world/world.ts';
import { draw } from './draw.ts';

const MOST_PIXELS = 4096;
const DRAWING = 'image/svg+xml';

/** Every picture that an address of the platform leads to. */
export function pictureRoutes(world: World): Hono {
  const routes = new Hono();

  routes.get('/:kind/:file', async (c) => {
    const { kind, file } = c.req.param();
    const [, key = '', wide, high] = /^(.+)-(\d+)x(\d+)\.jpg$/.exec(file) ?? [];
    const [width, height] = [Number(wide), Number(high)];
    const drawable = width > 0 && height > 0 && width <= MOST_PIXELS && height <= MOST_PIXELS;
    if (!drawable) return c.notFound();

    const { label, badge } = captionOf(kind, key);
    const svg = draw({ key: `${kind} ${key}`, label, badge, width, height });
    const headers = { 'cache-control': 'public, max-age=86400', vary: 'accept' };
    // Browsers take the drawing as it is; social platforms take none, and no real thumbnail is one.
    if (c.req.header('accept')?.includes(DRAWING)) return c.body(svg, 200, { ...headers, 'content-type': DRAWING });
    return c.body(await photographed(svg), 200, { ...headers, 'content-type': 'image/jpeg' });
  });

  function captionOf(kind: string, key: string): { readonly label: string; readonly badge?: string } {
    const person = world.findPerson(key.replace(/^live_user_/, ''));
    switch (kind) {
      case 'avatar':
        return { label: person?.displayName.charAt(0) ?? '?' };
      case 'preview':
        return { label: person?.displayName ?? key, badge: 'LIVE' };
      case 'offline':
        return { label: person?.displayName ?? key };
      case 'boxart':
        return { label: world.findGame(key)?.name ?? key };
      default:
        return { label: '▶', badge: kind };
    }
  }

  return routes;
}

async function photographed(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp');
  return new Uint8Array(await sharp(Buffer.from(svg)).jpeg().toBuffer());
}
