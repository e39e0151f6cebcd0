import { Hono } from 'hono';
import type { Gif } from '#src/clients/social/records/discovery.ts';
import { draw } from '../twitch/pictures.ts';
import { fold } from './hashtags.ts';

const GIF_PIXELS = 64;
const FRAMES = 4;
const FRAME_MS = 200;
/** The number of GIFs with one title. */
const VARIANTS = 3;

const MOODS: readonly string[] = ['Happy', 'Sad', 'Excited', 'Tired', 'Proud', 'Confused', 'Dancing', 'Waving'];
const ACTORS: readonly string[] = ['cat', 'dog', 'wizard', 'knight', 'robot', 'ghost', 'gamer', 'chess player'];
const REACTIONS: readonly string[] = (
  'Applause, Confetti, Countdown, Facepalm, Fireworks, Game over, Good game, High five, ' +
  'Level up, Live now, Mind blown, New record, Popcorn, Rage quit, Thumbs up, Welcome'
).split(', ');

export interface StoredGif {
  readonly id: string;
  readonly title: string;
}

const gifs: readonly StoredGif[] = [...REACTIONS, ...MOODS.flatMap((mood) => ACTORS.map((actor) => `${mood} ${actor}`))].flatMap((title) =>
  Array.from({ length: VARIANTS }, (_, index) => ({ id: `${fold(title).replaceAll(' ', '-')}-${index + 1}`, title })),
);

/** The GIFs whose titles contain every word of a term, or a word that begins with it. */
export function findGifs(term: string): readonly StoredGif[] {
  const wanted = fold(term).match(/[\p{L}\p{N}]+/gu) ?? [];
  return gifs.filter(({ title }) => {
    const words = fold(title).split(' ');
    return wanted.length > 0 && wanted.every((part) => words.some((word) => word.startsWith(part)));
  });
}

/** The record of a GIF. `url` is the address of the platform. */
export function toGif({ id, title }: StoredGif, url: string): Gif {
  return {
    provider: 'sandbox',
    id,
    title,
    altText: `${title}, an animation`,
    url: `${url}/gifs/${id}.gif`,
    previewUrl: `${url}/gifs/${id}-still.gif`,
    width: GIF_PIXELS,
    height: GIF_PIXELS,
    rating: 'g',
  };
}

/** `GET /gifs/<id>.gif` and `GET /gifs/<id>-still.gif`: the pictures of the GIFs. */
export function gifRoutes(): Hono {
  const routes = new Hono();
  routes.get('/gifs/:file', async (c) => {
    const [, id = '', still] = /^(.+?)(-still)?\.gif$/.exec(c.req.param('file')) ?? [];
    const gif = gifs.find((one) => one.id === id);
    if (!gif) return c.notFound();
    const bytes = await gifOf(gif, still === undefined ? FRAMES : 1);
    return c.body(bytes, 200, { 'content-type': 'image/gif', 'cache-control': 'public, max-age=86400' });
  });
  return routes;
}

async function gifOf({ id, title }: StoredGif, frameCount: number): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp');
  const size = { width: GIF_PIXELS, height: GIF_PIXELS };
  const frames = Array.from({ length: frameCount }, (_, frame) => Buffer.from(draw({ key: `${id} ${frame}`, label: title, ...size })));
  const animation = sharp(frames, { join: { animated: true } }).gif({ delay: frames.map(() => FRAME_MS), loop: 0 });
  return new Uint8Array(await animation.toBuffer());
}
