import { isJsonList, type Json, type JsonObject } from '#src/operation/json.ts';
import { bytesOfCid } from './cid.ts';

/** The major types of CBOR, as the first three bits say them. */
const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, list: 4, map: 5, tag: 6 } as const;
const LINK_TAG = 42;

/** A value that the data model of records has no place for. */
export class UnencodableError extends Error {
  override readonly name = 'UnencodableError';
}

/** A value as DAG-CBOR: the one way of writing it, from which its CID is made. `$link` and `$bytes` are what they stand for. */
export function encodeCbor(value: Json): Buffer {
  const parts: Uint8Array[] = [];
  write(value, parts);
  return Buffer.concat(parts);
}

function write(value: Json, parts: Uint8Array[]): void {
  if (value === null) parts.push(Uint8Array.of(0xf6));
  else if (typeof value === 'boolean') parts.push(Uint8Array.of(value ? 0xf5 : 0xf4));
  else if (typeof value === 'number') parts.push(integer(value));
  else if (typeof value === 'string') parts.push(...sized(MAJOR.text, Buffer.from(value)));
  else if (isJsonList(value)) {
    parts.push(head(MAJOR.list, value.length));
    for (const item of value) write(item, parts);
  } else writeMap(value, parts);
}

function writeMap(value: JsonObject, parts: Uint8Array[]): void {
  const entries = Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [{ key: Buffer.from(key), item }]));
  const { $link, $bytes } = value;
  if (entries.length === 1 && typeof $link === 'string') {
    const cid = bytesOfCid($link);
    if (!cid) throw new UnencodableError('$link is not a CID');
    // A zero before the CID: it is written in binary.
    parts.push(head(MAJOR.tag, LINK_TAG), ...sized(MAJOR.bytes, Buffer.concat([Uint8Array.of(0), cid])));
    return;
  }
  if (entries.length === 1 && typeof $bytes === 'string') {
    parts.push(...sized(MAJOR.bytes, Buffer.from($bytes, 'base64')));
    return;
  }
  parts.push(head(MAJOR.map, entries.length));
  // Shorter keys first, then in the order of their bytes.
  for (const { key, item } of entries.toSorted((a, b) => a.key.length - b.key.length || Buffer.compare(a.key, b.key))) {
    parts.push(...sized(MAJOR.text, key));
    write(item, parts);
  }
}

function integer(value: number): Uint8Array {
  if (!Number.isSafeInteger(value)) throw new UnencodableError(`${value} is no whole number`);
  return value < 0 ? head(MAJOR.negative, -1 - value) : head(MAJOR.unsigned, value);
}

function sized(major: number, content: Uint8Array): readonly [Uint8Array, Uint8Array] {
  return [head(major, content.length), content];
}

/** A major type and its number in as few bytes as it takes. */
function head(major: number, value: number): Uint8Array {
  const first = major << 5;
  if (value < 24) return Uint8Array.of(first | value);
  if (value < 0x1_00) return Uint8Array.of(first | 24, value);
  const bytes = Buffer.alloc(value < 0x1_0000 ? 3 : value < 0x1_0000_0000 ? 5 : 9);
  if (bytes.length === 3) bytes.writeUInt16BE(value, 1);
  else if (bytes.length === 5) bytes.writeUInt32BE(value, 1);
  else bytes.writeBigUInt64BE(BigInt(value), 1);
  bytes[0] = first | (bytes.length === 3 ? 25 : bytes.length === 5 ? 26 : 27);
  return bytes;
}
