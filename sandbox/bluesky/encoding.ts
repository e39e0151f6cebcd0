import { createHash } from 'node:crypto';
import { below, createDice } from '../world/dice.ts';

const BASE_32 = 'abcdefghijklmnopqrstuvwxyz234567';
/** The order of these digits is the order of their values. */
const SORTABLE_BASE_32 = '234567abcdefghijklmnopqrstuvwxyz';
/** Version 1, the codec of records or of blobs, and 32 bytes of SHA-256. */
const CID_PREFIXES = { record: [1, 0x71, 0x12, 32], blob: [1, 0x55, 0x12, 32] } as const;
const TID_DIGITS = 13;

/** Bytes in base 32, without padding. */
export function toBase32(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let rest = 0;
  for (const byte of bytes) {
    rest = ((rest << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE_32.charAt((rest >> (bits - 5)) & 31);
  }
  return bits === 0 ? text : text + BASE_32.charAt((rest << (5 - bits)) & 31);
}

/** The content id of a record or a blob. */
export function cidOf(kind: keyof typeof CID_PREFIXES, content: Buffer | string): string {
  const hash = createHash('sha256').update(content).digest();
  return `b${toBase32(Buffer.concat([Uint8Array.from(CID_PREFIXES[kind]), hash]))}`;
}

export function isCid(text: string): boolean {
  return /^b[a-z2-7]{58}$/.test(text);
}

/** A record key that sorts by its instant. */
export function toTid(atUs: number, clock = 0): string {
  const digits = ((BigInt(atUs) << 10n) | BigInt(clock)).toString(32).padStart(TID_DIGITS, '0');
  return digits.replaceAll(/./g, (digit) => SORTABLE_BASE_32.charAt(Number.parseInt(digit, 32)));
}

/** The instant of a record key in microseconds; undefined for any other text. */
export function fromTid(text: string): number | undefined {
  if (!/^[2-7a-j][2-7a-z]{12}$/.test(text)) return undefined;
  const value = text.split('').reduce((sum, digit) => (sum << 5n) | BigInt(SORTABLE_BASE_32.indexOf(digit)), 0n);
  return Number(value >> 10n);
}

/** The record key of something that people did without the API. The same salt gives the same key. */
export function derivedKey(salt: string, atMs: number): string {
  const dice = createDice(0, salt);
  return toTid(Math.floor(atMs) * 1000 + below(1000, dice(0)), below(1024, dice(1)));
}
