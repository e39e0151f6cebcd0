const HEADER_BYTES = 13;
const BLOCKS = { extension: 0x21, picture: 0x2c } as const;
const EXTENSION_HEAD_BYTES = 2;
const PICTURE_HEAD_BYTES = 10;
/** The flag and the size of a color table are in one byte. */
const HAS_COLORS = 0x80;
const COLORS_SIZE = 0x07;

/** Whether a GIF file has more than one picture. */
export function isAnimatedGif(bytes: Buffer): boolean {
  let at = HEADER_BYTES + colorBytes(bytes[10]);
  for (let pictures = 0; at < bytes.length;) {
    if (bytes[at] === BLOCKS.picture) {
      pictures += 1;
      if (pictures > 1) return true;
      // The size of the codes is one byte in front of the data.
      at = afterData(bytes, at + PICTURE_HEAD_BYTES + colorBytes(bytes[at + 9]) + 1);
    } else if (bytes[at] === BLOCKS.extension) {
      at = afterData(bytes, at + EXTENSION_HEAD_BYTES);
    } else {
      return false;
    }
  }
  return false;
}

function colorBytes(flags = 0): number {
  return (flags & HAS_COLORS) === 0 ? 0 : 3 * 2 ** ((flags & COLORS_SIZE) + 1);
}

/** The end of data, which consists of blocks with their lengths; an empty block is the last one. */
function afterData(bytes: Buffer, from: number): number {
  let at = from;
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += length + 1;
  return at + 1;
}
