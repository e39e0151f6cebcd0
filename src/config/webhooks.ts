import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { SECRET, VariableError } from '#adapters/account.ts';
import { codeOf } from '#src/errors.ts';
import { hintOf } from '#src/rules/document/read-text-file.ts';
import type { FileMistake } from './fanfare-file.ts';
import { WEBHOOK_EVENTS, type WebhookEventType, type WebhookForm } from './webhook-form.ts';

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
    const hint = `make one: echo "whsec_$(openssl rand -base64 32)"`;
    onMistake({ path: ['webhooks', name, 'secret'], message, hint, isSecretUnset: text === '' });
    return [];
  });
}

/** The secret of the sender of a webhook, and how the sender proves that it knows it. */
export interface SenderSecret {
  /** `signature`: an HMAC of the body; `token`: the token itself is in the request. */
  readonly kind: 'signature' | 'token';
  readonly secret: string;
  /** The header of the signature of the body, in small letters; absent: `x-hub-signature-256`. */
  readonly header?: string | undefined;
}

/** The prefix of secrets whose senders sign the time: Standard Webhooks and Stripe. */
export const TIMED_SECRET = 'whsec_';

/** The variables of secrets, or of files with them. */
const VARIABLE = /^FANFARE_WEBHOOK_(?<name>[A-Z0-9]+(?:_[A-Z0-9]+)*?)_(?<kind>SECRET|TOKEN)(?<file>_FILE)?$/u;
/** A shorter secret can be guessed. */
const FEWEST_CHARACTERS = 16;

/** The variables of headers with signatures. */
const HEADER_VARIABLE = /^FANFARE_WEBHOOK_(?<name>[A-Z0-9]+(?:_[A-Z0-9]+)*?)_HEADER$/u;
const HEADER_NAME = /^[A-Za-z0-9-]{1,100}$/u;

/** Reads the secrets of senders, by the name of the webhook. Throws a `ConfigError`, which never contains a value. */
export function readSenderSecrets(variables: Readonly<Record<string, string | undefined>>): ReadonlyMap<string, SenderSecret> {
  const secrets = new Map<string, SenderSecret>();
  for (const [variable, value = ''] of Object.entries(variables)) {
    const { name: written, kind, file } = VARIABLE.exec(variable)?.groups ?? {};
    if (written === undefined || value === '') continue;
    const name = webhookName(written);
    if (secrets.has(name)) {
      const hint = `keep one of FANFARE_WEBHOOK_${written}_SECRET and FANFARE_WEBHOOK_${written}_TOKEN, with or without _FILE`;
      throw new VariableError(`the webhook ${name} has two secrets`, { variable, hint });
    }
    const secret = file === undefined ? value : readSecretFile(variable, value);
    if (secret.length < FEWEST_CHARACTERS) {
      const hint = 'make one: openssl rand -hex 32';
      throw new VariableError(`${variable}: a secret has at least ${FEWEST_CHARACTERS} characters`, { variable, hint });
    }
    secrets.set(name, { kind: kind === 'SECRET' ? 'signature' : 'token', secret });
  }
  for (const [variable, header = ''] of Object.entries(variables)) {
    const { name: written } = HEADER_VARIABLE.exec(variable)?.groups ?? {};
    if (written === undefined || header === '') continue;
    const name = webhookName(written);
    const known = secrets.get(name);
    const problem = headerProblem(header, known);
    if (problem) throw new VariableError(`${variable}: ${problem.message}`, { variable, hint: problem.hint });
    if (known) secrets.set(name, { ...known, header: header.toLowerCase() });
  }
  return secrets;
}

/** The name of a webhook from the part of a variable that names it. */
function webhookName(written: string): string {
  return written.toLowerCase().replaceAll('_', '-');
}

function headerProblem(header: string, secret: SenderSecret | undefined): { readonly message: string; readonly hint: string } | undefined {
  if (!HEADER_NAME.test(header)) return { message: 'this is not the name of a header', hint: 'write for example X-Shop-Signature' };
  if (secret?.kind !== 'signature') return { message: 'only a signature has a header', hint: 'set the variable with _SECRET too' };
  if (secret.secret.startsWith(TIMED_SECRET)) return { message: 'a secret with whsec_ has its own headers', hint: 'remove this variable' };
  return undefined;
}

function readSecretFile(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new VariableError(`${variable}: the file cannot be read`, { variable, hint: hintOf({ code }) });
  }
}
