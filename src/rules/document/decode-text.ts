/** What is in a file: its text, or where it stops being UTF-8, with a text that shows it. */
export type Decoded = { readonly text: string } | { readonly brokenAt: number; readonly readable: string };

/** Reads bytes as UTF-8; where they are none, the rest is shown as the older encoding that it most likely is. */
export function decodeText(bytes: Uint8Array): Decoded {
  const text = decoded(bytes, false);
  if (text !== undefined) return { text };
  // What begins well goes on well up to the first byte that does not fit.
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (decoded(bytes.subarray(0, middle), true) === undefined) bad = middle;
    else good = middle;
  }
  const begin = decoded(bytes.subarray(0, good), true) ?? '';
  const rest = bytes.subarray(new TextEncoder().encode(begin).length + (hasMark(bytes) ? 3 : 0));
  return { brokenAt: begin.length, readable: begin + new TextDecoder('windows-1252').decode(rest) };
}

/** Whether the bytes begin with the mark of UTF-8, which is no part of the text. */
function hasMark([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf;
}

/** The text; undefined for what is no UTF-8. `isOpen`: a character may be cut off at the end. */
function decoded(bytes: Uint8Array, isOpen: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isOpen });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
