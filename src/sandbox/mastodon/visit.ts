import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Json, JsonObject } from '#src/operation/json.ts';
import { SELF } from '../social/people.ts';
import type { Meeting } from '../social/meeting.ts';
import type { WorldPerson } from '../world/world.ts';
import { isWithin } from './access/scopes.ts';
import type { Token } from './access/tokens.ts';
import { spoken } from './dialect.ts';
import type { Ground } from './ground.ts';
import { limitHeaders, type LimitName, type LimitState } from './limits/limits.ts';
import { mastodonFeed } from './posts/feed.ts';
import { MastodonRefusal, refused } from './refusal.ts';
import type { Fields } from './requests/fields.ts';
import type { Cut } from './requests/paging.ts';
import type { Locale } from './wording.ts';

/** One request, and the server as it finds it. */
export interface Visit extends Omit<Meeting, 'viewer'> {
  readonly ground: Ground;
  /** Whose token came with the request; absent: nobody's, or an app's own. */
  readonly viewer: WorldPerson | undefined;
  readonly token: Token | undefined;
  readonly fields: Fields;
  /** What it is counted for, as far as it is known. */
  readonly limits: LimitState[];
  readonly locale: Locale;
  /** As it came in. */
  readonly url: URL;
}

/** A request of somebody. */
export interface UserVisit extends Visit, Pick<Meeting, 'viewer'> {
  readonly viewer: WorldPerson;
  readonly token: Token;
}

export type Visiting = Pick<Visit, 'ground' | 'token' | 'fields' | 'limits' | 'locale' | 'url'> & { readonly method: string };

/** What a request meets. */
export function visit({ method, ...request }: Visiting): Visit {
  const { ground, token, url } = request;
  const viewer = token?.userId === undefined ? undefined : ground.stage.people.find(token.userId);
  // Lists, files and failures are the same for everybody.
  const meeting = ground.stage.meet({ method, path: url.pathname }, viewer ?? SELF);
  const bare = viewer ? meeting.moment : ground.stage.momentFor();
  const feed = mastodonFeed(bare.feed, { ground, viewer, relations: bare.relations, nowMs: bare.now.getTime() });
  return { ...meeting, ...request, viewer, moment: { ...bare, feed } };
}

/** The same request after it changed something: what was looked up already is looked up anew. */
export function anew<V extends Visit>(before: V): V {
  const { ground, viewer } = before;
  const bare = ground.stage.momentFor(viewer);
  const feed = mastodonFeed(bare.feed, { ground, viewer, relations: bare.relations, nowMs: bare.now.getTime() });
  return { ...before, moment: { ...bare, feed } };
}

/** The visit of somebody whose token has the scope. */
export function asUser(found: Visit, scope: string): UserVisit {
  const { token, viewer } = found;
  requireScope(found, scope);
  // A token of the app's own opens nothing that is somebody's.
  if (!token || !viewer) throw new MastodonRefusal(422, { error: 'This method requires an authenticated user' });
  if (found.ground.settings.current.suspended && viewer.id === SELF.id) {
    throw new MastodonRefusal(403, { error: 'Your login is currently disabled' });
  }
  return { ...found, token, viewer };
}

/** Refuses who has no token with the scope. */
export function requireScope({ token }: Visit, scope: string): void {
  if (!token) throw new MastodonRefusal(401, { error: 'The access token is invalid' });
  if (!isWithin(scope, token.scopes)) throw new MastodonRefusal(403, { error: 'This action is outside the authorized scopes' });
}

/** Counts what is limited beside requests, and refuses what is too much. */
export function spend({ ground, limits, moment }: Visit, name: LimitName, who: string): void {
  const nowMs = moment.now.getTime();
  const state = ground.limits.state({ name, who }, nowMs);
  limits.push(state.remaining > 0 ? ground.limits.spend({ name, who }, nowMs) : state);
  if (state.remaining <= 0) throw refused('tooMany', { status: 429 });
}

/** An answer in JSON, as the kind of server says it. */
export function json({ ground }: Visit, body: Json, status: ContentfulStatusCode = 200): Response {
  return Response.json(spoken(body, ground.settings.current.kind), { status });
}

/** An answer with a part of a list, as the failures in force leave it. */
export function page(found: Visit, { items, next, previous }: Cut<JsonObject>): Response {
  const { fault } = found;
  const half = fault('shortList') ? items.slice(0, Math.ceil(items.length / 2)) : items;
  return withLinks(found, json(found, fault('emptyList') ? [] : half), { next, previous });
}

/** An answer that says where its list goes on. */
export function withLinks(found: Visit, answer: Response, { next, previous }: Pick<Cut<unknown>, 'next' | 'previous'>): Response {
  const standing = found.fields.text('max_id');
  const endless = found.fault('endlessCursor') ? (standing === undefined ? (next ?? previous) : { max_id: standing }) : undefined;
  const links = linksTo(found, { next: endless ?? next, previous });
  if (links !== '') answer.headers.set('link', links);
  return answer;
}

const PAGING = ['max_id', 'min_id', 'since_id', 'offset'];

function linksTo({ url, ground }: Visit, { next, previous }: Pick<Cut<unknown>, 'next' | 'previous'>): string {
  const link = (rel: string, parameters: Readonly<Record<string, string>> | undefined): readonly string[] => {
    if (!parameters) return [];
    const target = new URL(url.pathname + url.search, ground.home);
    for (const name of PAGING) target.searchParams.delete(name);
    for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
    return [`<${target.href}>; rel="${rel}"`];
  };
  return [...link('next', next), ...link('prev', previous)].join(', ');
}

/** What an answer says of the limits that it counted for. */
export function headersOf({ limits, ground }: Pick<Visit, 'limits' | 'ground'>): Record<string, string> {
  const [first] = limits.toSorted((a, b) => a.remaining - b.remaining);
  return first && ground.settings.features.tellsLimits ? limitHeaders(first) : {};
}
