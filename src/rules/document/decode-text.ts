/** The text of a file, or the offset where it stops being UTF-8. */
export type Decoded = { readonly text: string } | { readonly invalidAt: number; readonly readable: string };

/** Decodes UTF-8. After an invalid byte, the rest is decoded as windows-1252, its most likely encoding. */
export function decodeText(bytes: Uint8Array): Decoded {
  const text = decoded(bytes, false);
  // YAML also ends lines with CR alone, which some editors write, also into a file with other line ends. The parser reads it as a letter.
  if (text !== undefined) return { text: text.replaceAll(/\r(?!\n)/gu, '\n') };
  // Binary search for the first invalid byte.
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (decoded(bytes.subarray(0, middle), true) === undefined) bad = middle;
    else good = middle;
  }
  const begin = decoded(bytes.subarray(0, good), true) ?? '';
  const rest = bytes.subarray(new TextEncoder().encode(begin).length + (hasBom(bytes) ? 3 : 0));
  return { invalidAt: begin.length, readable: begin + new TextDecoder('windows-1252').decode(rest) };
}

/** Whether the bytes begin with a byte order mark. */
function hasBom([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf;
}

/** The text; undefined if it is not UTF-8. `isOpen`: the last character may be incomplete. */
function decoded(bytes: Uint8Array, isOpen: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isOpen });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
