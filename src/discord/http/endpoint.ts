import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { APIInteraction } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { textsFor } from '#src/discord/language/languages.ts';
import { createRecentIds } from '#src/admin/incoming-webhooks/recent-ids.ts';

/** The DER header of an Ed25519 key (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const SIGNATURE = /^[0-9a-f]{128}$/i;

/** A request with the headers that prove its sender. */
export interface SignedRequest {
  readonly signature: string | undefined;
  /** Seconds since 1970. */
  readonly timestamp: string | undefined;
  /** The unchanged bytes. */
  readonly body: Uint8Array;
}

/** The public key of an application from its hexadecimal digits. */
function toPublicKey(hex: string): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, Buffer.from(hex, 'hex')]), format: 'der', type: 'spki' });
}

/** Whether the owner of the key signed the request. */
function isSigned({ signature, timestamp, body }: SignedRequest, key: KeyObject): boolean {
  if (signature === undefined || timestamp === undefined || !SIGNATURE.test(signature)) return false;
  return verify(undefined, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'hex'));
}

/** The maximum difference between the clocks of Discord and of this machine, including the transfer. */
const FRESH_MS = 60_000;

// The numbers are copied because this file must not load discord.js.
const PING = 1;
const PONG = 1;
const AUTOCOMPLETE = 4;
const ANSWERS = { message: 4, choices: 8 } as const;
const EPHEMERAL = 64;

const Outside = z.looseObject({ id: z.string().regex(/^\d{1,20}$/), type: z.int(), locale: z.string().optional() });
const Interaction = Outside.extend({ token: z.string(), application_id: z.string(), data: z.looseObject({}) });

/** The response to a request. Without a body, the bot answers over REST. Discord only reads the status of a refusal. */
export type EndpointAnswer =
  | { readonly status: 200 | 202; readonly body?: JsonObject }
  | { readonly status: 400 | 401; readonly code: 'noInteraction' | 'notSigned' | 'notFresh' | 'repeated'; readonly detail: string };

/** The log line for an interaction that the bot cannot read. */
export const UNREADABLE_INTERACTION = 'an interaction was rejected because fields are missing or have another type';

const NO_INTERACTION: EndpointAnswer = { status: 400, code: 'noInteraction', detail: 'The body is not an interaction.' };

interface EndpointOptions {
  /** The public key of the application, in hexadecimal digits. */
  readonly publicKey: string;
  /** Earlier requests are rejected, because a process that ended may have handled them. Default: now. */
  readonly sinceMs?: number | undefined;
  /** Passes an interaction to the bot; false if the bot is not online. Throws if the interaction lacks required fields. */
  readonly deliver: (interaction: APIInteraction) => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Accepts interactions that Discord signed, each once. */
export function interactionsEndpoint({
  publicKey,
  deliver,
  clock,
  sinceMs = clock.nowMs(),
  log,
}: EndpointOptions): (request: SignedRequest) => EndpointAnswer {
  const key = toPublicKey(publicKey);
  const isRepeat = createRecentIds({ forMs: 2 * FRESH_MS, most: Infinity, clock });

  function isFresh(timestamp: string | undefined): boolean {
    const atMs = Number(timestamp) * 1000;
    return Math.abs(clock.nowMs() - atMs) <= FRESH_MS && atMs + 1000 > sinceMs;
  }

  return (request) => {
    if (!isSigned(request, key))
      return { status: 401, code: 'notSigned', detail: 'The signature is not valid. Check the public key of the application.' };
    if (!isFresh(request.timestamp)) {
      log.warn(
        { timestamp: request.timestamp },
        'an interaction was rejected because its timestamp is more than a minute off, or before the start: check the clock of this machine',
      );
      return { status: 401, code: 'notFresh', detail: 'The timestamp is too old or in the future.' };
    }
    const json = parse(request.body);
    const outside = Outside.safeParse(json);
    if (outside.data?.type === PING) return { status: 200, body: { type: PONG } };
    if (!isInteraction(json)) return NO_INTERACTION;
    if (isRepeat(json.id)) {
      log.warn({ interaction: json.id }, 'a repeated interaction was rejected');
      return { status: 401, code: 'repeated', detail: 'The interaction was already received.' };
    }
    try {
      return deliver(json) ? { status: 202 } : notOnline(json.type, outside.data?.locale);
    } catch (error) {
      log.warn({ error, interaction: json.id }, UNREADABLE_INTERACTION);
      return NO_INTERACTION;
    }
  };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Checks only the common fields, because Discord signed the interaction. */
function isInteraction(json: unknown): json is APIInteraction {
  return Interaction.safeParse(json).success;
}

/** Tells the user that the bot is not online. */
function notOnline(type: number, locale = 'en-US'): EndpointAnswer {
  if (type === AUTOCOMPLETE) return { status: 200, body: { type: ANSWERS.choices, data: { choices: [] } } };
  const content = textsFor(locale).errors.restarting;
  return { status: 200, body: { type: ANSWERS.message, data: { content, flags: EPHEMERAL } } };
}
