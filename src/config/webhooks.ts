import type { z } from 'zod';
import { SECRET } from '#adapters/account.ts';
import type { FileMistake } from './fanfare-file.ts';
import { WEBHOOK_EVENTS, type WebhookEventType, type WebhookForm } from './webhook-form.ts';

/** A webhook. */
export interface WebhookSettings {
  readonly name: string;
  readonly url: string;
  /** `whsec_` and Base64. */
  readonly secret: string;
  readonly events: readonly WebhookEventType[];
  readonly privateNetwork: boolean;
}

const SIGNING_SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/u;

/** Reads the webhooks of the file. One without a usable secret is left out. */
export function readWebhooks(
  { webhooks = {} }: { readonly webhooks?: Readonly<Record<string, z.output<typeof WebhookForm>>> | undefined },
  variables: Readonly<Record<string, string | undefined>>,
  onMistake: (mistake: FileMistake) => void,
): readonly WebhookSettings[] {
  return Object.entries(webhooks).flatMap(([name, { url, secret: reference, events = WEBHOOK_EVENTS, privateNetwork = false }]) => {
    const [, variable = ''] = SECRET.exec(reference) ?? [];
    const text = variables[variable] ?? '';
    if (SIGNING_SECRET.test(text)) return [{ name, url, secret: text, events, privateNetwork }];
    const message = text === '' ? `${variable} is not set` : `${variable} is not a secret of webhooks`;
    onMistake({ path: ['webhooks', name, 'secret'], message, hint: `make one: echo "whsec_$(openssl rand -base64 32)"` });
    return [];
  });
}
