import { createHash } from 'node:crypto';
import { fromBase32, toBase32 } from './base32.ts';

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
