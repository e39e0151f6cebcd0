import { Hono } from 'hono';
import type { Gif } from '#src/social/records/discovery.ts';
import { below, createDice } from '../world/dice.ts';
import { fold } from './hashtags.ts';

/** A colour: how much red, green and blue, each to 255. */
type Colour = readonly [number, number, number];

interface Film {
  readonly width: number;
  readonly height: number;
  /** The darkest and the lightest colour; the shades between are made from the two. */
  readonly from: Colour;
  readonly to: Colour;
  /** Shades, from 0 to below 128, row by row, a list a frame. */
  readonly frames: readonly (readonly number[])[];
  readonly frameMs: number;
}

const SHADES = 128;
const CODE_BITS = 7;
const CLEAR = SHADES;
const END = SHADES + 1;
/** Before so many codes the decoder's table would grow past one byte a code. */
const CODES_BETWEEN_CLEARS = 120;
const LONGEST_BLOCK = 255;
const SIGNATURE = Buffer.from('GIF89a', 'latin1');
/** There is a palette, of 2 to the power of `CODE_BITS` colours. */
const PALETTE_FLAGS = 0xf0 + CODE_BITS - 1;
/** The extension that browsers know, with no number of turns. */
const FOR_EVER = Buffer.from('\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00', 'latin1');
const TRAILER = 0x3b;

/** A GIF that goes on for ever. Its pixels are stored one by one: the table of the compression is cleared before it matters. */
function encodeGif({ width, height, from, to, frames, frameMs }: Film): Uint8Array<ArrayBuffer> {
  const size = [...word(width), ...word(height)];
  const screen = [...size, PALETTE_FLAGS, 0, 0];
  const palette = Array.from({ length: SHADES }, (_, shade) => mixed(from, to, shade / (SHADES - 1))).flat();
  const pause = [0x21, 0xf9, 4, 0, ...word(Math.round(frameMs / 10)), 0, 0];
  const place = [0x2c, 0, 0, 0, 0, ...size, 0];
  const pictures = frames.flatMap((shades) => [...pause, ...place, CODE_BITS, ...blocks(codes(shades)), 0]);
  return Buffer.concat([SIGNATURE, Buffer.from([...screen, ...palette]), FOR_EVER, Buffer.from([...pictures, TRAILER])]);
}

function codes(shades: readonly number[]): readonly number[] {
  return [...shades.flatMap((shade, index) => (index % CODES_BETWEEN_CLEARS === 0 ? [CLEAR, shade] : [shade])), END];
}

function blocks(bytes: readonly number[]): readonly number[] {
  const starts = Array.from({ length: Math.ceil(bytes.length / LONGEST_BLOCK) }, (_, block) => block * LONGEST_BLOCK);
  return starts.flatMap((start) => {
    const block = bytes.slice(start, start + LONGEST_BLOCK);
    return [block.length, ...block];
  });
}

function mixed(from: Colour, to: Colour, part: number): readonly number[] {
  return from.map((value, channel) => Math.round(value + ((to[channel] ?? value) - value) * part));
}

function word(value: number): readonly number[] {
  return [value & 0xff, value >> 8];
}

const GIF_PIXELS = 64;
const FRAMES = 8;
const FRAME_MS = 80;
const BRIGHTEST = 127;

/** A GIF with a circling glow in two colours. The preview is its first frame. */
function drawGif(id: string, { still }: { readonly still: boolean }): Uint8Array<ArrayBuffer> {
  const dice = createDice(0, `gif ${id}`);
  const colour = (place: number, least: number): Colour =>
    [0, 1, 2].map((channel) => least + below(96, dice(place, channel))) as [number, number, number]; // three channels
  const turns = dice(9) < 0.5 ? 1 : -1;
  const frames = Array.from({ length: still ? 1 : FRAMES }, (_, frame) => glowAt(turns * (frame / FRAMES + dice(8)) * 2 * Math.PI));
  return encodeGif({ width: GIF_PIXELS, height: GIF_PIXELS, from: colour(1, 0), to: colour(2, 160), frames, frameMs: FRAME_MS });
}

function glowAt(angle: number): readonly number[] {
  const centre = GIF_PIXELS / 2;
  const [x, y] = [centre + Math.cos(angle) * centre * 0.5, centre + Math.sin(angle) * centre * 0.5];
  return Array.from({ length: GIF_PIXELS * GIF_PIXELS }, (_, index) => {
    const distance = Math.hypot((index % GIF_PIXELS) - x, Math.floor(index / GIF_PIXELS) - y);
    return Math.max(0, Math.round(BRIGHTEST * (1 - distance / GIF_PIXELS)));
  });
}

const PROVIDER = 'sandbox';
/** How many there are of each kind. */
const TAKES = 3;

const MOODS: readonly string[] = ['Happy', 'Sad', 'Excited', 'Tired', 'Proud', 'Confused', 'Dancing', 'Waving'];
const ACTORS: readonly string[] = ['cat', 'dog', 'wizard', 'knight', 'robot', 'ghost', 'gamer', 'chess player'];
const REACTIONS: readonly string[] = [
  'Applause',
  'Confetti',
  'Countdown',
  'Facepalm',
  'Fireworks',
  'Game over',
  'Good game',
  'High five',
  'Level up',
  'Live now',
  'Mind blown',
  'New record',
  'Popcorn',
  'Rage quit',
  'Thumbs up',
  'Welcome',
];

export interface StoredGif {
  readonly id: string;
  readonly title: string;
}

const gifs: readonly StoredGif[] = [...REACTIONS, ...MOODS.flatMap((mood) => ACTORS.map((actor) => `${mood} ${actor}`))].flatMap((title) =>
  Array.from({ length: TAKES }, (_, take) => ({ id: `${fold(title).replaceAll(' ', '-')}-${take + 1}`, title })),
);

/** Those with every word of a term in their titles, where a word may be cut short. */
export function findGifs(term: string): readonly StoredGif[] {
  const wanted = fold(term).match(/[\p{L}\p{N}]+/gu) ?? [];
  return gifs.filter(({ title }) => {
    const words = fold(title).split(' ');
    return wanted.length > 0 && wanted.every((part) => words.some((word) => word.startsWith(part)));
  });
}

function findGif(id: string): StoredGif | undefined {
  return gifs.find((gif) => gif.id === id);
}

/** The record of one; its picture stands at `url`. */
export function toGif({ id, title }: StoredGif, url: string): Gif {
  return {
    provider: PROVIDER,
    id,
    title,
    altText: `${title}, as a moving picture`,
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
  routes.get('/gifs/:file', (c) => {
    const [, id = '', still] = /^(.+?)(-still)?\.gif$/.exec(c.req.param('file')) ?? [];
    if (!findGif(id)) return c.notFound();
    return c.body(drawGif(id, { still: still !== undefined }), 200, {
      'content-type': 'image/gif',
      'cache-control': 'public, max-age=86400',
    });
  });
  return routes;
}
