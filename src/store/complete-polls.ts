import { promisify } from 'node:util';
import { crc32, zstdDecompress } from 'node:zlib';

const decompress = promisify(zstdDecompress);

/** The longest time between two complete rows of a query, so that a row depends only on a recent one. */
export const COMPLETE_EVERY_MS = 3_600_000;
/** The body of a complete row is longer. Earlier versions referred to a row by its slot, in 8 bytes. */
export const MAX_REFERENCE_BYTES = 8;
/** The time since the complete row, in 3 bytes, and the checksum of its body. Earlier versions read such a short row as a repetition of the row before. */
const REFERENCE_BYTES = 7;
const DISTANCE_BYTES = 3;

/** A complete row, by its slot and the checksum of its body: several processes may record the same slot. */
export interface CompleteRow {
  readonly slotMs: number;
  readonly checksum: number;
}

/** A complete result and its slot. */
interface CompleteResult {
  readonly slotMs: number;
  readonly text: string;
}

export function isComplete(body: Uint8Array): boolean {
  return body.length > MAX_REFERENCE_BYTES;
}

export function toCompleteRow(slotMs: number, body: Uint8Array): CompleteRow {
  return { slotMs, checksum: crc32(body) };
}

/** The body of a row whose result equals the one of a complete row, less than an hour before. */
export function referenceTo(complete: CompleteRow, slotMs: number): Uint8Array {
  const body = Buffer.alloc(REFERENCE_BYTES);
  body.writeUIntBE(slotMs - complete.slotMs, 0, DISTANCE_BYTES);
  body.writeUInt32BE(complete.checksum, DISTANCE_BYTES);
  return new Uint8Array(body);
}

/** The complete rows to which later rows can refer. */
export class CompletePolls {
  #rows: (CompleteRow & { readonly body: Uint8Array })[] = [];
  /** The last result with a text, and its compressed form. */
  #last: (CompleteResult & { readonly body: Uint8Array }) | undefined;

  /** Takes a complete row. Its text is made when a result needs it. */
  add(slotMs: number, body: Uint8Array): void {
    if (this.#rows[0] && this.#rows[0].slotMs < slotMs - COMPLETE_EVERY_MS)
      this.#rows = this.#rows.filter((row) => row.slotMs >= slotMs - COMPLETE_EVERY_MS);
    this.#rows.push({ ...toCompleteRow(slotMs, body), body });
  }

  /** The result of the next row; undefined if its complete row was deleted. */
  async resultOf(slotMs: number, body: Uint8Array): Promise<CompleteResult | undefined> {
    if (isComplete(body)) this.add(slotMs, body);
    const found = this.#rows.findLast(isReferredTo(slotMs, body));
    if (found && this.#last?.body !== found.body)
      this.#last = { slotMs: found.slotMs, body: found.body, text: (await decompress(found.body)).toString() };
    return found && this.#last;
  }
}

/** A test for the complete row of a row. */
function isReferredTo(slotMs: number, body: Uint8Array): (row: CompleteRow) => boolean {
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  if (body.length === REFERENCE_BYTES) {
    const distanceMs = view.getUint32(0) >>> 8;
    const checksum = view.getUint32(DISTANCE_BYTES);
    return (row) => row.slotMs === slotMs - distanceMs && row.checksum === checksum;
  }
  if (body.length === MAX_REFERENCE_BYTES) {
    const completeMs = view.getFloat64(0);
    return (row) => row.slotMs === completeMs;
  }
  return () => true;
}
