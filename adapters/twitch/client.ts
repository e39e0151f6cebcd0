import type { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { AppToken } from '#src/http/app-token.ts';
import type { HttpClient, HttpResponse } from '#src/http/client.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';
import { cursorAtEnd, type Rows } from './wire/rows.ts';

/** The most rows of a response, and the most values of a parameter. */
export const MOST_ROWS = 100;

/** The operations of Twitch. */
export type Primitives = Required<StreamingPlatform['operations']>;

/** The rows of one response. */
interface Fetched<T> extends Rows<T> {
  readonly fetchedAt: Date;
}

/** Twitch's API with the token of the app. */
export interface Helix {
  /** The largest number of requests for a composed page. */
  readonly pageRequests: number;
  list<T>(path: string, rows: z.ZodType<Rows<T>>, query: Query, options: PageOptions): Promise<Fetched<T>>;
}

/** Twitch's API with the token of a user. */
export interface ChannelHelix {
  get(
    token: string,
    path: string,
    query: Query,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly response: HttpResponse; readonly fetchedAt: Date }>;
  /** Sends a message in a chat. Twitch does not recognize a repeat. */
  say(
    token: string,
    message: JsonObject,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly response: HttpResponse; readonly sentAt: Date }>;
}

/** At most 20 messages in 30 seconds: https://dev.twitch.tv/docs/chat/#rate-limits. The burst and the messages of 30 seconds. */
const CHAT_PACE = { perSecond: 10 / 30, burst: 10 } as const;

export function channelHelix({ api, clientId, clock }: Pick<HelixOptions, 'api' | 'clientId' | 'clock'>): ChannelHelix {
  const headersOf = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}`, 'client-id': clientId });
  return {
    async get(token, path, query, signal) {
      const response = await api.request({ path, query, headers: headersOf(token), signal });
      return { response, fetchedAt: new Date(clock.nowMs()) };
    },
    async say(token, message, signal) {
      const response = await api.request({
        method: 'POST',
        path: '/chat/messages',
        json: message,
        headers: headersOf(token),
        creates: true,
        budget: 'chat',
        pace: CHAT_PACE,
        signal,
      });
      return { response, sentAt: new Date(clock.nowMs()) };
    },
  };
}

interface HelixOptions {
  readonly api: HttpClient;
  readonly token: AppToken;
  readonly clientId: string;
  readonly pageRequests: number;
  readonly clock: Clock;
}

export function helix({ api, token, clientId, pageRequests, clock }: HelixOptions): Helix {
  return {
    pageRequests,
    async list(path, rows, query, { cursor, onNext, signal }) {
      const request = { path, query: { ...query, after: cursor }, signal };
      const response = await token.authorized(signal, (value) =>
        api.request({ ...request, headers: { authorization: `Bearer ${value}`, 'client-id': clientId } }),
      );
      const fetchedAt = new Date(clock.nowMs());
      const early = onNext && cursorAtEnd(response.text);
      // Parsing takes as long as the response, so the next request is sent before it.
      if (early !== undefined) await onNext?.(early);
      const fetched = response.json(rows);
      if (early === undefined && fetched.cursor !== undefined) await onNext?.(fetched.cursor);
      return { ...fetched, fetchedAt };
    },
  };
}
