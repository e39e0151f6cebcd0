/** A new idempotency key. `crypto.randomUUID` exists with HTTPS and on the loopback only. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
}
