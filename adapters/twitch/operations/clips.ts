import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Person } from '#src/clients/operation/record.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { ClipSort, Language } from '#src/clients/streaming/enumerations.ts';
import type { Clip } from '#src/clients/streaming/records.ts';
import { type Helix, MOST_ROWS, type Primitives } from '../client.ts';
import { scan, toCode } from '../pages.ts';
import { type ClipRow, ClipRows, type NamedPerson } from '../wire/clip.ts';
import { toPerson } from '../wire/rows.ts';
import { newestFirst } from './clip-windows.ts';
import type { GameNames } from './games.ts';
import { toLogin, type UserNames, usersById } from './users.ts';

/** A query returns about this many clips. Its cursor never ends. */
const MOST_CLIPS = 1000;

type FetchedClip = ClipRow & Pick<Clip, 'fetchedAt'>;

/** One page of clips, most viewed first. A simulated server may not sort them. An empty page is the end. */
async function readClipRows(helix: Helix, query: Query, options: PageOptions): Promise<Page<FetchedClip>> {
  const { rows, partialErrors, cursor, fetchedAt } = await helix.list('/clips', ClipRows, { ...query, first: MOST_ROWS }, options);
  const isEnd = rows.length + partialErrors.length === 0;
  const items = rows.map((row) => ({ ...row, fetchedAt })).toSorted((a, b) => b.viewCount - a.viewCount);
  return { items, partialErrors, cursor: isEnd ? undefined : cursor };
}

/** Adds the people of clips. Clips contain no logins, so names that differ from the login are looked up. */
async function withPeople(helix: Helix, page: Page<FetchedClip>, signal: AbortSignal | undefined): Promise<Page<Clip>> {
  const people = page.items.flatMap(({ owner, creator }) => (creator ? [owner, creator] : [owner]));
  const unclear = new Set(people.filter(({ displayName }) => toLogin(displayName) === undefined).map(({ id }) => id));
  const { users } = await usersById(helix, [...unclear], signal);

  const personOf = ({ id, displayName }: NamedPerson): Person | undefined => {
    const login = toLogin(displayName) ?? users.get(id)?.handle;
    return login === undefined ? undefined : toPerson(id, login, displayName);
  };
  const items = page.items.map((row) => ({
    ...row,
    // A deleted account has no login.
    owner: personOf(row.owner) ?? { platform: 'twitch', handle: row.owner.id, ...row.owner },
    creator: row.creator && personOf(row.creator),
  }));
  return { ...page, items };
}

const DAY_MS = 24 * 3600 * 1000;
const SPANS_MS: Partial<Record<ClipSort, number>> = { LAST_DAY: DAY_MS, LAST_WEEK: 7 * DAY_MS, LAST_MONTH: 30 * DAY_MS };

/** The channel or the game of the clips. */
type Subject = { readonly broadcaster_id: string } | { readonly game_id: string };

interface ClipsQuery {
  readonly subject: Subject;
  readonly sort: ClipSort;
  readonly languages?: readonly Language[] | undefined;
}

/** The clips of a user. */
export function userClips(helix: Helix, names: UserNames, clock: Clock): Primitives['getUserClips'] {
  return async ({ user, sort }, options) =>
    clips(helix, clock, { subject: { broadcaster_id: await names.idOf(user, options.signal) }, sort }, options);
}

/** The clips of a game. */
export function gameClips(helix: Helix, names: GameNames, clock: Clock): Primitives['getGameClips'] {
  return async ({ game, sort, languages }, options) => {
    if (languages?.length === 0) return { items: [] };
    return clips(helix, clock, { subject: { game_id: await names.idOf(game, options.signal) }, sort, languages }, options);
  };
}

async function clips(helix: Helix, clock: Clock, query: ClipsQuery, options: PageOptions): Promise<Page<Clip>> {
  const page = query.sort === 'TIME' ? newest(helix, clock, query, options) : mostViewed(helix, clock, query, options);
  return withPeople(helix, await page, options.signal);
}

function newest(
  helix: Helix,
  clock: Clock,
  { subject, languages }: ClipsQuery,
  { cursor, signal }: PageOptions,
): Promise<Page<FetchedClip>> {
  return newestFirst({
    read: (fromMs, toMs, after) => readClipRows(helix, { ...subject, ...windowOf(fromMs, toMs) }, { cursor: after, signal }),
    keep: hasLanguage(languages),
    nowMs: clock.nowMs(),
    requests: helix.pageRequests,
    most: MOST_CLIPS,
    cursor,
  });
}

/** A position in the list of one window, which stays the same for the whole walk. */
const Position = z.object({
  window: z.object({ started_at: z.string(), ended_at: z.string() }).optional(),
  inner: z.string().optional(),
  /** The number of earlier clips. */
  passed: z.int().min(0),
});
type Position = z.output<typeof Position>;

async function mostViewed(
  helix: Helix,
  clock: Clock,
  { subject, sort, languages }: ClipsQuery,
  { cursor, signal }: PageOptions,
): Promise<Page<FetchedClip>> {
  const { window, inner, passed } = cursor === undefined ? startOf(sort, clock) : Position.parse(JSON.parse(cursor));
  const read = (after: string | undefined) => readClipRows(helix, { ...subject, ...window }, { cursor: after, signal });

  const page = languages
    ? await scan({ read, keep: hasLanguage(languages), requests: helix.pageRequests, cursor: inner })
    : await read(inner);
  const now = passed + (page.scanned ?? page.items.length);
  if (now >= MOST_CLIPS) return { ...page, cursor: undefined, approximate: true };
  if (page.cursor === undefined || page.cursor === inner) return { ...page, cursor: undefined };
  const next: Position = { window, inner: page.cursor, passed: now };
  return { ...page, cursor: JSON.stringify(next) };
}

function startOf(sort: ClipSort, clock: Clock): Position {
  const spanMs = SPANS_MS[sort];
  const nowMs = clock.nowMs();
  return { window: spanMs === undefined ? undefined : windowOf(nowMs - spanMs, nowMs), passed: 0 };
}

/** Without an end, a window would be a week long. */
function windowOf(fromMs: number, toMs: number): { readonly started_at: string; readonly ended_at: string } {
  return { started_at: new Date(fromMs).toISOString(), ended_at: new Date(toMs).toISOString() };
}

function hasLanguage(languages: readonly Language[] | undefined): (clip: FetchedClip) => boolean {
  const codes = new Set(languages?.map(toCode));
  return ({ language = 'other' }) => languages === undefined || codes.has(language);
}
