import { createHash } from 'node:crypto';
import { newSecret } from '#src/admin/access/secret.ts';
import type { Clock } from '#src/clock.ts';
import type { SenderSecret } from '#src/config/webhooks.ts';
import { isDatabaseUnavailable, isOutage } from '#src/errors.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import type { ReceivedWebhooks } from '#src/engine/scheduler/received-webhooks.ts';
import type { Log } from '#src/log.ts';
import { boundedKey } from '#src/rules/bounded-key.ts';
import { USUAL_BODY_BYTES } from '#src/rules/grammar/webhook-file.ts';
import type { ReceivedWebhook, Rule, RuleWebhook } from '#src/rules/rule.ts';
import { fitPayload, type FieldFault } from '#src/rules/webhook/fit-payload.ts';
import { createFaultLog } from './fault-log.ts';
import { createRequestLimit } from './request-limit.ts';
import { readPayload } from './read-payload.ts';
import { verifySender, type WebhookRequest } from './verify-sender.ts';

/** The answer to a request of a webhook. */
type WebhookAnswer =
  | { readonly status: 202 }
  | {
      readonly status: 400 | 401 | 404 | 413 | 429 | 503;
      readonly code: string;
      readonly detail: string;
      readonly errors?: readonly FieldFault[] | undefined;
      readonly retryAfterSeconds?: number | undefined;
    };

/** A request, and what the server knows of it. */
export interface ArrivedWebhook extends WebhookRequest {
  readonly name: string;
}

/** Receives the webhooks of rules. */
export interface WebhookReceiver {
  /** The largest body of requests to a webhook, in bytes. Unknown webhooks have the usual one. */
  maxBytes(name: string): number;
  /** Handles a request. Resolves with 202 only after the commits of all rules. */
  receive(request: ArrivedWebhook): Promise<WebhookAnswer>;
}

export interface WebhookReceiverOptions {
  /** The running rules. */
  readonly rules: () => readonly Pick<Rule, 'id' | 'webhook'>[];
  /** The secrets of senders, by the name of the webhook. */
  readonly secrets: ReadonlyMap<string, SenderSecret>;
  readonly scheduler: Pick<Scheduler, 'run'>;
  readonly received: Pick<ReceivedWebhooks, 'has'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A rule and its payload. */
interface Fitting {
  readonly rule: string;
  readonly webhook: ReceivedWebhook;
}

/** The longest wait for the commits of a request. The sender repeats the request, and a commit that comes later counts once. */
const COMMIT_WITHIN_MS = 20_000;
const RETRY_AFTER_S = 30;
/** The most characters of a key: as of the keys of items. */
const LONGEST_KEY = 500;

const UNKNOWN: WebhookAnswer = { status: 404, code: 'webhookNotFound', detail: 'There is no such webhook.' };
const REFUSED: WebhookAnswer = { status: 401, code: 'notProven', detail: 'The request does not prove the secret of this webhook.' };
const UNREADABLE: WebhookAnswer = { status: 400, code: 'invalidBody', detail: 'The body is neither a JSON object nor a form.' };
const UNSTORED: WebhookAnswer = {
  status: 503,
  code: 'notStored',
  detail: 'The webhook could not be stored. Send it again later.',
  retryAfterSeconds: RETRY_AFTER_S,
};

/** Creates the receiver of the webhooks of running rules. */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  const { rules, secrets, scheduler, received, clock, log } = options;
  const limit = createRequestLimit(clock);
  const noSecret: SenderSecret = { kind: 'signature', secret: newSecret() };
  const logs = createFaultLog({ clock, log });

  const rulesOf = (name: string) => rules().flatMap(({ id, webhook }) => (webhook?.name === name ? [{ rule: id, webhook }] : []));

  const logFault = (webhook: string, fault: string, fields: Readonly<Record<string, unknown>> = {}): void =>
    logs.warn({ name: webhook, fault }, { webhook, ...fields });

  /** Runs a rule; false: nothing was stored before `late`. */
  async function run({ rule, webhook }: Fitting, late: Promise<undefined>): Promise<boolean> {
    if (await received.has(rule, webhook.key)) return true;
    const made = await Promise.race([scheduler.run(rule, { webhook }), late]);
    // Another process may have stored the same request in the meantime.
    return made !== undefined || (await received.has(rule, webhook.key));
  }

  async function runAll(name: string, fitting: readonly Fitting[]): Promise<WebhookAnswer> {
    const waiting = new AbortController();
    const late = clock.sleep(COMMIT_WITHIN_MS, waiting.signal).then(
      () => undefined,
      () => undefined,
    );
    try {
      const stored: boolean[] = [];
      // A rule that fails again and again does not keep the request from the others.
      for (const one of fitting) stored.push(await run(one, late));
      return stored.every(Boolean) ? { status: 202 } : unstored(name);
    } catch (error) {
      if (!(error instanceof Error) || (!isOutage(error) && !isDatabaseUnavailable(error))) throw error;
      return unstored(name);
    } finally {
      waiting.abort();
    }
  }

  function unstored(name: string): WebhookAnswer {
    logFault(name, 'a webhook could not be stored; its sender has to repeat it');
    return UNSTORED;
  }

  return {
    maxBytes: (name) =>
      Math.max(...rulesOf(name).map(({ webhook }) => webhook.maxBytes), rulesOf(name).length === 0 ? USUAL_BODY_BYTES : 0),

    async receive({ name, ...request }) {
      const nowMs = clock.nowMs();
      const starting = rulesOf(name);
      const secret = starting.length === 0 ? undefined : secrets.get(name);
      const payload = readPayload(request.body, request.header('content-type'));
      const verified = verifySender(secret ?? noSecret, request, { payload, nowMs });
      if (!secret) {
        if (starting.length > 0) logFault(name, 'a webhook was refused, because its secret is not set');
        return UNKNOWN;
      }
      if (!verified.isProven) {
        logFault(name, 'a webhook was refused, because its sender does not prove the secret, or its signature is too old');
        return REFUSED;
      }
      const freeInMs = limit.take(name);
      if (freeInMs !== undefined) {
        logFault(name, 'a webhook was refused, because too many requests arrived');
        return {
          status: 429,
          code: 'tooManyRequests',
          detail: 'Too many requests of this webhook arrived.',
          retryAfterSeconds: Math.ceil(freeInMs / 1000),
        };
      }
      if (!payload) {
        logFault(name, 'a webhook was refused, because its body is neither a JSON object nor a form');
        return UNREADABLE;
      }
      const fitted = starting.map(({ rule, webhook }) => {
        const fit = request.body.length > webhook.maxBytes ? tooLarge(webhook) : fitPayload(webhook.fields, payload);
        return 'faults' in fit
          ? fit
          : { rule, webhook: { webhook: name, key: keyOf(webhook, fit.item, request.body, verified.id), item: fit.item } };
      });
      const fitting = fitted.filter((one) => 'rule' in one);
      if (fitting.length > 0) return runAll(name, fitting);
      const errors = fitted.flatMap((one) => ('faults' in one ? one.faults : []));
      logFault(name, 'a webhook was refused, because its payload does not fit the fields of the rule', {
        fields: errors.map(({ pointer }) => pointer),
      });
      return { status: 400, code: 'invalidPayload', detail: detailOf(errors), errors };
    },
  };
}

/** The id of a payload: of the rule, else the signed one, else the digest of the body. Unsigned headers do not count, because anyone can change them. */
function keyOf({ key }: RuleWebhook, item: ReceivedWebhook['item'], body: Uint8Array, signedId: string | undefined): string {
  const found = key?.(item) ?? signedId ?? `sha256:${createHash('sha256').update(body).digest('base64url')}`;
  return boundedKey(found, LONGEST_KEY);
}

function tooLarge({ maxBytes }: RuleWebhook): { readonly faults: readonly FieldFault[] } {
  return { faults: [{ pointer: '', detail: `the body has more than ${maxBytes} bytes` }] };
}

function detailOf([first]: readonly FieldFault[]): string {
  return first
    ? `The payload does not fit the rule: ${first.pointer === '' ? '' : `${first.pointer}: `}${first.detail}.`
    : 'The payload does not fit the rule.';
}
