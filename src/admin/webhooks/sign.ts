import { createHmac } from 'node:crypto';

/** The headers of a signed event; specification: https://www.standardwebhooks.com. `secret`: `whsec_` and Base64. */
export function signatureHeaders(
  { id, body, atMs }: { readonly id: string; readonly body: string; readonly atMs: number },
  secret: string,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(atMs / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/u, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
