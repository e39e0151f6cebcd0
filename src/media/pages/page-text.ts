/** Where a page says how it is written: https://html.spec.whatwg.org/#determining-the-character-encoding. */
const SNIFFED_BYTES = 1024;
const MARKS: readonly (readonly [bytes: readonly number[], label: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
];
const CHARSET = /charset\s*=\s*["']?\s*([\w:.-]{1,40})/i;
const IN_A_TAG = /<meta[^>]*?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i;

/** The text of a page: by its byte order mark, else as its server says, else as it says itself. */
export function pageText(bytes: Uint8Array, contentType = ''): string {
  const marked = MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))?.[1];
  const label = marked ?? CHARSET.exec(contentType)?.[1] ?? declaredIn(bytes) ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    // Nobody knows what it names.
    return new TextDecoder().decode(bytes);
  }
}

function declaredIn(bytes: Uint8Array): string | undefined {
  const label = IN_A_TAG.exec(Buffer.from(bytes.subarray(0, SNIFFED_BYTES)).toString('latin1'))?.[1];
  // It could not be read like this if it were.
  return label?.toLowerCase().startsWith('utf-16') ? undefined : label;
}
