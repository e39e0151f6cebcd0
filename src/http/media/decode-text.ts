/** The standard limits the search for an encoding: https://html.spec.whatwg.org/#determining-the-character-encoding. */
const SNIFFED_BYTES = 1024;
const BYTE_ORDERS: readonly (readonly [bytes: readonly number[], label: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
];
const CHARSET = /charset\s*=\s*["']?\s*([\w:.-]{1,40})/i;

export interface DecodeTextOptions {
  readonly contentType?: string | undefined;
  /** Finds the encoding that a document declares; its first group is the label. */
  readonly declaration: RegExp;
}

/** Decodes a document by its byte order mark or the zero of its first character in UTF-16, else by its content type, else by its declaration. */
export function decodeText(bytes: Uint8Array, { contentType = '', declaration }: DecodeTextOptions): string {
  const byPrefix = BYTE_ORDERS.find(([prefix]) => prefix.every((byte, index) => bytes[index] === byte))?.[1];
  const label = byPrefix ?? byZero(bytes) ?? CHARSET.exec(contentType)?.[1] ?? declaredIn(bytes, declaration) ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    // The label is unknown.
    return new TextDecoder().decode(bytes);
  }
}

/** Documents begin with a character of ASCII, which has one zero byte in UTF-16. */
function byZero([first, second]: Uint8Array): string | undefined {
  if (first === undefined || second === undefined || (first === 0) === (second === 0)) return undefined;
  return first === 0 ? 'utf-16be' : 'utf-16le';
}

function declaredIn(bytes: Uint8Array, declaration: RegExp): string | undefined {
  const label = declaration.exec(Buffer.from(bytes.subarray(0, SNIFFED_BYTES)).toString('latin1'))?.[1];
  // A document in UTF-16 has no readable label.
  return label?.toLowerCase().startsWith('utf-16') ? undefined : label;
}
