import { createHash } from 'node:crypto';

const SIGNS = '234567abcdefghijklmnopqrstuvwxyz';
const LENGTH = 13;
const SECOND_US = 1_000_000;

/** The key of a record in the protocol's form of an instant, the same whenever it is made from the same: `since`, up to a second later by a hash of `key`. */
export function tidOf(key: string, since: Date): string {
  const hash = createHash('sha256').update(key).digest();
  const micros = BigInt(since.getTime()) * 1000n + BigInt(hash.readUInt32BE(0) % SECOND_US);
  let rest = (micros << 10n) | BigInt(hash.readUInt16BE(4) & 0x3ff);
  let tid = '';
  for (let place = 0; place < LENGTH; place++) {
    tid = SIGNS[Number(rest & 31n)] + tid;
    rest >>= 5n;
  }
  return tid;
}
