import { createHash } from 'node:crypto';
import { type Json, type JsonObject, isJsonList } from '#src/operation/json.ts';

/** The alphabet of RFC 4648 in lower case, as DIDs and CIDs are written. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/** Bytes in base 32, without padding. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let buffer = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += LETTERS[(buffer >> bits) & 31];
    }
  }
  return bits === 0 ? text : text + LETTERS[(buffer << (5 - bits)) & 31];
}

/** What {@link toBase32} wrote; undefined where it wrote nothing like it. */
export function fromBase32(text: string): Buffer<ArrayBuffer> | undefined {
  const bytes = Buffer.alloc(Math.floor((text.length * 5) / 8));
  let place = 0;
  let bits = 0;
  let buffer = 0;
  for (const character of text) {
    const value = LETTERS.indexOf(character);
    if (value < 0) return undefined;
    buffer = ((buffer << 5) | value) & 0xffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[place++] = (buffer >> bits) & 255;
  }
  return bytes;
}

/** What a CID begins with: version 1, what is hashed, SHA-256, 32 bytes. */
const VERSION = 1;
const CODECS = { record: 0x71, blob: 0x55 } as const;
const SHA_256 = 0x12;
const HASH_BYTES = 32;
/** Base 32, by the first letter. */
const MULTIBASE = 'b';

/** The content id of a record (its DAG-CBOR) or of a blob (its bytes). */
export function cidOf(kind: keyof typeof CODECS, content: Uint8Array): string {
  const hash = createHash('sha256').update(content).digest();
  return MULTIBASE + toBase32(Buffer.concat([Uint8Array.of(VERSION, CODECS[kind], SHA_256, HASH_BYTES), hash]));
}

/** A CID in binary; undefined where the text is none of a record or a blob. */
export function bytesOfCid(text: string): Uint8Array | undefined {
  if (!/^b[a-z2-7]{58}$/.test(text)) return undefined;
  const bytes = fromBase32(text.slice(1));
  const [version, codec, hash, length] = bytes ?? [];
  const isKnown = codec === CODECS.record || codec === CODECS.blob;
  return version === VERSION && isKnown && hash === SHA_256 && length === HASH_BYTES ? bytes : undefined;
}

export function isCid(text: string): boolean {
  return bytesOfCid(text) !== undefined;
}

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

/** Base 32 in an alphabet that sorts. */
const TID_LETTERS = '234567abcdefghijklmnopqrstuvwxyz';
const INSTANT_LETTERS = 11;
const CLOCK_LETTERS = 2;
const SHAPE = /^[2-7a-j][2-7a-z]{12}$/;

/** How many clocks can tell the same microsecond. */
export const CLOCKS = 1024;

/** An instant in microseconds and which clock told it. */
export interface Tick {
  readonly atUs: number;
  readonly clock: number;
}

/** A record key that sorts by time. */
export function toTid({ atUs, clock }: Tick): string {
  return written(atUs, INSTANT_LETTERS) + written(clock, CLOCK_LETTERS);
}

export function fromTid(tid: string): Tick | undefined {
  if (!SHAPE.test(tid)) return undefined;
  return { atUs: read(tid.slice(0, INSTANT_LETTERS)), clock: read(tid.slice(INSTANT_LETTERS)) };
}

function written(value: number, letters: number): string {
  let text = '';
  for (let left = value; text.length < letters; left = Math.floor(left / TID_LETTERS.length)) {
    text = (TID_LETTERS[left % TID_LETTERS.length] ?? '') + text;
  }
  return text;
}

function read(text: string): number {
  return text.split('').reduce((value, character) => value * TID_LETTERS.length + TID_LETTERS.indexOf(character), 0);
}
