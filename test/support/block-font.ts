const UNITS_PER_EM = 1000;

/** The metrics of a font, in thousandths of its size. */
export interface FontMetrics {
  readonly advance: number;
  readonly ascent: number;
  readonly descent: number;
}

/**
 * A TrueType font that shows every character as one block: text has the same size on every machine, whatever fonts are
 * installed there.
 */
export function blockFont({ advance, ascent, descent }: FontMetrics): Buffer {
  const box = { xMin: 50, yMin: 0, xMax: advance - 50, yMax: 700 };
  return fontFile({
    // Without a description of the design, Unicode ranges and a vendor.
    'OS/2': uint16s([
      4,
      advance,
      400,
      5,
      0,
      650,
      600,
      0,
      75,
      650,
      600,
      0,
      350,
      50,
      250,
      0,
      ...Array.from({ length: 15 }, () => 0),
      64,
      0x20,
      0xffff,
      ascent,
      -descent,
      0,
      ascent,
      descent,
      0,
      0,
      0,
      0,
      500,
      700,
      0,
      0x20,
      0,
    ]),
    // One group of format 13: all characters are glyph 1.
    cmap: uint16s([0, 1, 3, 10, 0, 12, 13, 0, 0, 28, 0, 0, 0, 1, 0, 0x20, 0x10, 0xffff, 0, 1]),
    // One contour of four points on the curve.
    glyf: Buffer.concat([
      uint16s([1, box.xMin, box.yMin, box.xMax, box.yMax, 3, 0]),
      Buffer.from([1, 1, 1, 1]),
      uint16s([box.xMin, box.xMax - box.xMin, 0, box.xMin - box.xMax, 0, 0, box.yMax, 0]),
    ]),
    head: uint16s([
      1,
      0,
      1,
      0,
      0,
      0,
      0x5f0f,
      0x3cf5,
      0,
      UNITS_PER_EM,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      box.xMin,
      box.yMin,
      box.xMax,
      box.yMax,
      0,
      8,
      2,
      0,
      0,
    ]),
    hhea: uint16s([1, 0, ascent, -descent, 0, advance, 50, 50, box.xMax, 1, 0, 0, 0, 0, 0, 0, 0, 2]),
    hmtx: uint16s([advance, 0, advance, box.xMin]),
    // In units of two bytes: glyph 0 is empty, glyph 1 is the block.
    loca: uint16s([0, 0, 17]),
    maxp: uint16s([1, 0, 2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
    name: uint16s([0, 0, 6]),
    post: uint16s([3, 0, 0, 0, -100, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
  });
}

function fontFile(tables: Readonly<Record<string, Buffer>>): Buffer {
  const entries = Object.entries(tables);
  let offset = 12 + 16 * entries.length;
  const directory = entries.map(([tag, { length }]) => {
    const entry = Buffer.concat([Buffer.from(tag), longs([0, offset, length])]);
    offset += padded(length);
    return entry;
  });
  const contents = entries.map(([, table]) => Buffer.concat([table, Buffer.alloc(padded(table.length) - table.length)]));
  const power = Math.floor(Math.log2(entries.length));
  const header = uint16s([1, 0, entries.length, 16 << power, power, 16 * (entries.length - (1 << power))]);
  return Buffer.concat([header, ...directory, ...contents]);
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}

/** Numbers as TrueType has them: two bytes each, the higher one first. */
function uint16s(values: readonly number[]): Buffer {
  return Buffer.concat(values.map((value) => Buffer.from([(value >> 8) & 0xff, value & 0xff])));
}

function longs(values: readonly number[]): Buffer {
  return uint16s(values.flatMap((value) => [value >>> 16, value & 0xffff]));
}
