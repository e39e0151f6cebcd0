import type { APIInteraction } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { JsonObject } from '#src/operation/json.ts';
import { wordsFor } from '../language/languages.ts';
import { Recent } from '../recent.ts';
import { isSigned, toPublicKey, type SignedRequest } from './signature.ts';

/** How far the clock of Discord and that of this machine may be apart, a request on its way included. */
const FRESH_MS = 60_000;

// Discord's numbers, by hand: discord.js is loaded when the bot connects, and this is there before.
const PING = 1;
const PONG = 1;
const AUTOCOMPLETE = 4;
const ANSWERS = { message: 4, choices: 8 } as const;
const EPHEMERAL = 64;

const Outside = z.looseObject({ id: z.string().regex(/^\d{1,20}$/), type: z.int(), locale: z.string().optional() });
const Interaction = Outside.extend({ token: z.string(), application_id: z.string(), data: z.looseObject({}) });

/** What is answered to a request; without a body, the answer to the person comes over REST. */
export interface EndpointAnswer {
  readonly status: 200 | 202 | 400 | 401;
  readonly body?: JsonObject;
}

export interface EndpointOptions {
  /** The application's, as its page shows it. */
  readonly publicKey: string;
  /** Gives an interaction to the bot; false: it is not online yet, or no longer. */
  readonly deliver: (interaction: APIInteraction) => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Takes the interactions that Discord sends over HTTP: each once, and from nobody else. */
export function interactionsEndpoint({ publicKey, deliver, clock, log }: EndpointOptions): (request: SignedRequest) => EndpointAnswer {
  const key = toPublicKey(publicKey);
  const beganMs = clock.nowMs();
  const seen = new Recent({ forMs: 2 * FRESH_MS, clock });

  function isFresh(timestamp: string | undefined): boolean {
    const atMs = Number(timestamp) * 1000;
    // What a run before this one has seen is forgotten: it must not come again.
    return Math.abs(clock.nowMs() - atMs) <= FRESH_MS && atMs + 1000 > beganMs;
  }

  return (request) => {
    if (!isSigned(request, key)) return refused('the signature is not that of the application');
    if (!isFresh(request.timestamp)) {
      log.warn(
        { timestamp: request.timestamp },
        'an interaction was refused as too old or from the future: check the clock of this machine',
      );
      return refused('the timestamp is not that of now');
    }
    const json = parse(request.body);
    const outside = Outside.safeParse(json);
    if (outside.data?.type === PING) return { status: 200, body: { type: PONG } };
    if (!isInteraction(json)) return { status: 400, body: { error: 'this is no interaction' } };
    if (!seen.add(json.id)) {
      log.warn({ interaction: json.id }, 'an interaction was refused because it came before');
      return refused('this interaction came before');
    }
    return deliver(json) ? { status: 202 } : notOnline(json.type, outside.data?.locale);
  };
}

function refused(error: string): EndpointAnswer {
  return { status: 401, body: { error } };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Whether it has what every interaction has. It is signed by Discord, so the rest is as Discord documents it. */
function isInteraction(json: unknown): json is APIInteraction {
  return Interaction.safeParse(json).success;
}

/** What whoever asked is told while there is no bot to ask. */
function notOnline(type: number, locale = 'en-US'): EndpointAnswer {
  if (type === AUTOCOMPLETE) return { status: 200, body: { type: ANSWERS.choices, data: { choices: [] } } };
  const content = wordsFor(locale).errors.restarting;
  return { status: 200, body: { type: ANSWERS.message, data: { content, flags: EPHEMERAL } } };
}
