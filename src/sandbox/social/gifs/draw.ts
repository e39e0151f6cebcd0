import { below, createDice } from '../../world/dice.ts';
import { encodeGif, type Colour } from './encode.ts';

export const GIF_PIXELS = 64;
const FRAMES = 8;
const FRAME_MS = 80;
const BRIGHTEST = 127;

/** The moving picture of a GIF: a glow that goes round, in two colours of its own; its preview stands still. */
export function drawGif(id: string, { still }: { readonly still: boolean }): Uint8Array<ArrayBuffer> {
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
