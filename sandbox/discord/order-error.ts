/** An invalid order. The message lists the valid values. */
export class OrderError extends Error {
  override readonly name = 'OrderError';
}
