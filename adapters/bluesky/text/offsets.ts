/** Where a UTF-16 offset is in UTF-8. */
export function toByteOffset(text: string, offset: number): number {
  return Buffer.byteLength(text.slice(0, offset));
}

/** Where UTF-8 offsets are in UTF-16; undefined for one that is within a character or beyond the end. */
export function fromByteOffsets(text: string): (offset: number) => number | undefined {
  const bytes = Buffer.from(text);
  return (offset) => {
    if (offset < 0 || offset > bytes.length) return undefined;
    const isWithin = offset < bytes.length && ((bytes[offset] ?? 0) & 0b1100_0000) === 0b1000_0000;
    return isWithin ? undefined : bytes.subarray(0, offset).toString().length;
  };
}
