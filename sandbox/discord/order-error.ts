/** An order that cannot be followed; the message says what could be. */
export class OrderError extends Error {
  override readonly name = 'OrderError';
}
