/** The alphabet of RFC 4648 in lower case, as DIDs and CIDs are written. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/** Bytes in base 32, without padding. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += LETTERS[(held >> bits) & 31];
    }
  }
  return bits === 0 ? text : text + LETTERS[(held << (5 - bits)) & 31];
}

/** What {@link toBase32} wrote; undefined where it wrote nothing like it. */
export function fromBase32(text: string): Buffer<ArrayBuffer> | undefined {
  const bytes = Buffer.alloc(Math.floor((text.length * 5) / 8));
  let place = 0;
  let bits = 0;
  let held = 0;
  for (const letter of text) {
    const value = LETTERS.indexOf(letter);
    if (value < 0) return undefined;
    held = ((held << 5) | value) & 0xffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[place++] = (held >> bits) & 255;
  }
  return bytes;
}
