import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const RANDOM_BYTES = 12;
const PROOF_BYTES = 12;

/** Creates the part of a callback that names a subscription. It contains a proof, so that guessed ones are refused without the database. */
export function newCallbackId(secret: string): string {
  const random = randomBytes(RANDOM_BYTES);
  return Buffer.concat([random, proofOf(random, secret)]).toString('base64url');
}

/** Whether an id was made with this secret. */
export function isCallbackId(id: string, secret: string): boolean {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes.length !== RANDOM_BYTES + PROOF_BYTES || bytes.toString('base64url') !== id) return false;
  return timingSafeEqual(bytes.subarray(RANDOM_BYTES), proofOf(bytes.subarray(0, RANDOM_BYTES), secret));
}

/** The secret with which a hub signs the content of a subscription. Each hub gets another one. */
export function hubSecret(id: string, secret: string): string {
  return createHmac('sha256', secret).update(`secret of ${id}`).digest('base64url');
}

function proofOf(random: Uint8Array, secret: string): Buffer {
  return createHmac('sha256', secret).update('id of ').update(random).digest().subarray(0, PROOF_BYTES);
}
