import { sign } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { OrderError } from '../../control/order-error.ts';
import { SIGNING_KEY } from '../identity.ts';

/** Node's fetch. If a process loads another version of undici, discord.js cannot send files. */
const { fetch } = globalThis;

const PING = 1;
const PONG = 1;

/** The Interactions Endpoint URL of the application. If it is set, interactions do not go to the gateway. */
export class Endpoint {
  readonly #clock: Clock;
  readonly #answerMs: number;
  #url: string | undefined;

  constructor({ clock, answerMs }: { readonly clock: Clock; readonly answerMs: number }) {
    this.#clock = clock;
    this.#answerMs = answerMs;
  }

  get url(): string | undefined {
    return this.#url;
  }

  /** Sets the URL after a check of the endpoint. Without a URL, interactions go to the gateway. */
  async save(url: string | undefined): Promise<void> {
    if (url !== undefined) await this.#check(url);
    this.#url = url;
  }

  /** The answer of the endpoint; undefined after the time limit. */
  async send(url: string, interaction: JsonObject, signature?: string): Promise<Response | undefined> {
    const timestamp = String(Math.floor(this.#clock.nowMs() / 1000));
    const body = JSON.stringify(interaction);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Discord-Interactions/1.0 (+https://discord.com)',
      'x-signature-timestamp': timestamp,
      'x-signature-ed25519': signature ?? sign(undefined, Buffer.from(timestamp + body), SIGNING_KEY).toString('hex'),
    };
    try {
      return await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal: AbortSignal.timeout(this.#answerMs) });
    } catch {
      return undefined;
    }
  }

  /** Like Discord, sends a ping, and a ping with a wrong signature that the endpoint must refuse. */
  async #check(url: string): Promise<void> {
    if (!URL.canParse(url)) throw new OrderError(`url: expected a URL, got "${url}".`);
    const ping = { id: '1', application_id: '1', type: PING, token: 'ping', version: 1 };
    const answered = await this.send(url, ping);
    const pong: unknown = await answered?.json().catch(() => undefined);
    if (answered?.status !== 200 || !isPong(pong))
      throw new OrderError(`url: ${url} does not answer a ping with status 200 and { "type": 1 }.`);
    const forged = await this.send(url, ping, '00'.repeat(64));
    await forged?.arrayBuffer();
    if (forged?.status !== 401) throw new OrderError(`url: ${url} accepts a wrong signature. It must answer 401.`);
  }
}

function isPong(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'type' in body && body.type === PONG;
}
