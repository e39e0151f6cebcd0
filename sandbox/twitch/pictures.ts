import { Hono } from 'hono';
import { below, createDice } from '../world/dice.ts';
import type { World } from '../world/world.ts';

/** The URLs of the pictures of a platform. */
export interface Pictures {
  avatar(personId: string): string;
  offline(personId: string): string;
  /** A template with `{width}` and `{height}`. */
  preview(handle: string): string;
  /** A template with `{width}` and `{height}`. */
  boxArt(gameId: string): string;
  smallBoxArt(gameId: string): string;
  /** A template with `%{width}` and `%{height}`, which Twitch uses for videos only. */
  video(videoId: string): string;
  clip(clipId: string): string;
}

/** URLs below `root`. */
export function pictureAddresses(root: string): Pictures {
  return {
    avatar: (id) => `${root}/avatar/${id}-300x300.jpg`,
    offline: (id) => `${root}/offline/${id}-1920x1080.jpg`,
    preview: (handle) => `${root}/preview/live_user_${handle}-{width}x{height}.jpg`,
    boxArt: (id) => `${root}/boxart/${id}-{width}x{height}.jpg`,
    smallBoxArt: (id) => `${root}/boxart/${id}-52x72.jpg`,
    video: (id) => `${root}/video/${id}-%{width}x%{height}.jpg`,
    clip: (id) => `${root}/clip/${id}-480x272.jpg`,
  };
}

export interface Drawing {
  /** The key determines the picture. */
  readonly key: string;
  readonly label: string;
  /** A text in the corner, such as `LIVE`. */
  readonly badge?: string | undefined;
  readonly width: number;
  readonly height: number;
}

/** A picture as SVG with colors, circles and a label. */
export function draw({ key, label, badge, width, height }: Drawing): string {
  const dice = createDice(0, key);
  const hue = below(360, dice(1));
  const size = Math.min(width, height);
  const circles = [2, 3, 4, 5].map((each) => {
    const x = Math.round(width * dice(each, 1));
    const y = Math.round(height * dice(each, 2));
    const radius = Math.round(size * (0.15 + 0.35 * dice(each, 3)));
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="hsl(${(hue + 40 * each) % 360} 80% 60%)" fill-opacity=".25"/>`;
  });
  const fontSize = Math.max(6, Math.min(size / (label.length === 1 ? 2 : 5), (1.25 * width) / label.length));
  const pill = Math.max(6, size / 14);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="hsl(${hue} 70% 42%)"/>`,
    `<stop offset="1" stop-color="hsl(${(hue + 70) % 360} 75% 24%)"/></linearGradient>`,
    `<rect width="100%" height="100%" fill="url(#g)"/>`,
    ...circles,
    `<text x="50%" y="50%" fill="#fff" font-family="system-ui,sans-serif" font-weight="700" font-size="${fontSize.toFixed(1)}"`,
    ` text-anchor="middle" dominant-baseline="central">${escaped(label)}</text>`,
    ...(badge
      ? [
          `<rect x="${pill / 2}" y="${pill / 2}" width="${pill * 3.4}" height="${pill * 1.6}" rx="${pill / 3}" fill="#e91916"/>`,
          `<text x="${pill * 2.2}" y="${pill * 1.3}" fill="#fff" font-family="system-ui,sans-serif" font-weight="700"`,
          ` font-size="${pill}" text-anchor="middle" dominant-baseline="central">${escaped(badge)}</text>`,
        ]
      : []),
    '</svg>',
  ].join('');
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

const MOST_PIXELS = 4096;
const DRAWING = 'image/svg+xml';

/** The pictures of a platform. */
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
    // Browsers accept SVG. Social platforms need a bitmap.
    if (c.req.header('accept')?.includes(DRAWING)) return c.body(svg, 200, { ...headers, 'content-type': DRAWING });
    return c.body(await toJpeg(svg), 200, { ...headers, 'content-type': 'image/jpeg' });
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

async function toJpeg(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp');
  return new Uint8Array(await sharp(Buffer.from(svg)).jpeg().toBuffer());
}
