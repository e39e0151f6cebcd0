import { Hono } from 'hono';
import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { fromCursor, toCursor } from '../cursor.ts';
import type { FaultKind, FaultOrder } from '../faults.ts';
import { Refusal } from '../refusal.ts';
import type { Tokens } from '../twitch/access.ts';
import type { Pictures } from '../twitch/pictures.ts';
import type { KickWorld } from './channels.ts';

/** The only registered app. The credentials are valid in sandboxes only. */
export const credentials = { clientId: 'SANDBOXKICKCLIENT', clientSecret: 'sandbox-kick-secret' } as const;

/** An error answer of the API. */
export function apiRefusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ message, data: {} }, { status, headers });
}

const MOST_ROWS = 1000;
const DEFAULT_ROWS = 100;
/** The pages of one walk show the same instant for this time. */
const SNAPSHOT_MS = 60_000;

const Position = z.object({ offset: z.int().min(0), atMs: z.number() });

/** An answer with a list. */
export interface KickPage {
  readonly data: readonly JsonObject[];
  readonly pagination?: JsonObject;
}

/** The page of a list that `limit` and `cursor` select. */
export function cutPage<T>(
  { query, nowMs, fault }: Pick<KickRequest, 'query' | 'nowMs' | 'fault'>,
  listAt: (atMs: number) => readonly T[],
  toRow: (item: T) => JsonObject,
): KickPage {
  const limit = Number(query.get('limit') ?? DEFAULT_ROWS);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ROWS) throw invalid();
  const cursor = query.get('cursor') || undefined;
  const position = cursor === undefined ? { offset: 0, atMs: nowMs } : fromCursor(Position, cursor);
  if (!position) throw invalid();
  const { offset, atMs } = position;
  const list = listAt(nowMs - atMs <= SNAPSHOT_MS ? atMs : nowMs);

  const start = offset > 0 && fault('repeatedItem') ? offset - 1 : offset;
  const end = Math.min(list.length, start + limit);
  const next = end < list.length ? toCursor({ offset: end, atMs }) : '';
  const endless = fault('endlessCursor') ? (cursor ?? toCursor({ offset: end, atMs })) : undefined;
  const short = fault('shortList') !== undefined;
  const items = fault('emptyList') ? [] : list.slice(start, end).filter((_, index) => !short || index % 2 === 0);
  return { data: items.map(toRow), pagination: { next_cursor: endless ?? next } };
}

/** The authorization server: tokens by client credentials. */
export function oauthRoutes(tokens: Tokens): Hono {
  const routes = new Hono();

  routes.post('/token', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const known = form.get('client_id') === credentials.clientId && form.get('client_secret') === credentials.clientSecret;
    if (!known) return c.json({ error: 'invalid_client' }, 401);
    if (form.get('grant_type') !== 'client_credentials') return c.json({ error: 'unsupported_grant_type' }, 400);
    const token = tokens.issue(credentials.clientId);
    return c.json({ access_token: token.value, expires_in: tokens.secondsLeft(token), token_type: 'Bearer' });
  });

  return routes;
}

/** The request of an endpoint. */
export interface KickRequest {
  readonly world: KickWorld;
  readonly query: URLSearchParams;
  /** The instant that the answer shows. */
  readonly nowMs: number;
  readonly pictures: Pictures;
  /** Consumes a fault that applies to the request. */
  readonly fault: (kind: FaultKind) => FaultOrder | undefined;
}

/** The values of a repeatable parameter. */
export function valuesOf(query: URLSearchParams, name: string, most: number): readonly string[] {
  const values = query.getAll(name);
  if (values.length > most) throw invalid();
  return values;
}

/** The numbers in a repeatable parameter. */
export function numbersOf(query: URLSearchParams, name: string, most: number): readonly number[] {
  return valuesOf(query, name, most).map((value) => {
    if (!/^\d+$/.test(value)) throw invalid();
    return Number(value);
  });
}

export function invalid(): Refusal {
  return new Refusal(400, 'Invalid request');
}

/** An instant in the format of Kick. */
export function wireInstant(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}
