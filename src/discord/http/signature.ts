import { createPublicKey, verify, type KeyObject } from 'node:crypto';

/** What stands before the 32 bytes of an Ed25519 key in the form that is read here (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const SIGNATURE = /^[0-9a-f]{128}$/i;

/** What came over HTTP, with what is to prove where it is from. */
export interface SignedRequest {
  readonly signature: string | undefined;
  /** Seconds since 1970, as the header has them. */
  readonly timestamp: string | undefined;
  /** Byte by byte as it came. */
  readonly body: Uint8Array;
}

/** The public key of an application, of which its page shows the hexadecimal digits. */
export function toPublicKey(hex: string): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, Buffer.from(hex, 'hex')]), format: 'der', type: 'spki' });
}

/** Whether it was signed by the owner of the key. */
export function isSigned({ signature, timestamp, body }: SignedRequest, key: KeyObject): boolean {
  if (signature === undefined || timestamp === undefined || !SIGNATURE.test(signature)) return false;
  return verify(undefined, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'hex'));
}
