import { createHmac } from 'node:crypto';

/** A request as a sender makes it. */
export interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A donation as Ko-fi documents it: a form with a field `data`, which has the payload and the token. */
export function kofiRequest(token: string, changes: Readonly<Record<string, unknown>> = {}): SentRequest {
  const data = {
    verification_token: token,
    message_id: '3a1fac0c-f960-4506-a60e-824979a74e74',
    timestamp: '2022-08-21T13:04:30Z',
    type: 'Donation',
    is_public: true,
    from_name: 'Ko-fi Team',
    message: 'Good luck with the integration!',
    amount: '3.00',
    url: 'https://ko-fi.com/Home/CoffeeShop?txid=0a1fac0c-f960-4506-a60e-824979a74e71',
    email: 'someone@example.com',
    currency: 'USD',
    is_subscription_payment: false,
    is_first_subscription_payment: false,
    kofi_transaction_id: '0a1fac0c-f960-4506-a60e-824979a74e71',
    shop_items: null,
    tier_name: null,
    shipping: null,
    ...changes,
  };
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: bytes(new URLSearchParams({ data: JSON.stringify(data) }).toString()),
  };
}

/** A request of GitHub: the HMAC of the body, without a time. */
export function githubRequest(secret: string, text: string): SentRequest {
  const signature = createHmac('sha256', secret).update(text).digest('hex');
  return {
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'release',
      'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body: bytes(text),
  };
}

/** A request of Standard Webhooks. */
export function standardRequest(secret: string, text: string, { id, atMs }: { readonly id: string; readonly atMs: number }): SentRequest {
  const timestamp = String(Math.floor(atMs / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/u, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64');
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body: bytes(text),
  };
}
