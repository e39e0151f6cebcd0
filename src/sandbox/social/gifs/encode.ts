/** A colour: how much red, green and blue, each to 255. */
export type Colour = readonly [number, number, number];

export interface Film {
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
export function encodeGif({ width, height, from, to, frames, frameMs }: Film): Uint8Array<ArrayBuffer> {
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
