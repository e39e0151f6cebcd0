import type { JsonObject } from '#src/clients/operation/json.ts';
import type { WorldGame } from '../world/world.ts';
import type { KickChannel, LiveChannel } from './channels.ts';
import { type KickPage, type KickRequest, cutPage, invalid, numbersOf, valuesOf, wireInstant } from './request.ts';
import { Refusal } from '../refusal.ts';

const MOST_CHANNELS = 50;
const MOST_FILTERS = 25;
const LONGEST_SLUG = 25;
/** The zero time of Go, which Kick sends for an absent time. */
const NEVER = '0001-01-01T00:00:00Z';

/** `GET /public/v1/channels`: by slug or by id, but not both. An unknown slug fails the whole request. */
export function getChannels({ world, query, nowMs, pictures }: KickRequest): KickPage {
  const slugs = valuesOf(query, 'slug', MOST_CHANNELS);
  const ids = numbersOf(query, 'broadcaster_user_id', MOST_CHANNELS);
  if (slugs.length > 0 === ids.length > 0 || slugs.some((slug) => slug.length > LONGEST_SLUG)) throw invalid();
  const bySlug = slugs.map((slug) => world.bySlug(slug));
  if (bySlug.includes(undefined)) throw invalid();
  const channels = [...bySlug, ...ids.map((id) => world.byUserId(id))].filter((channel) => channel !== undefined);
  const live = new Map(world.liveAt(nowMs).map((channel) => [channel.userId, channel]));

  const toRow = ({ userId, slug, person }: KickChannel): JsonObject => {
    const broadcast = live.get(userId)?.broadcast;
    return {
      broadcaster_user_id: userId,
      slug,
      channel_description: person.bio,
      banner_picture: pictures.offline(person.id),
      stream_title: broadcast?.title ?? '',
      category: broadcast ? toCategory({ world, pictures }, broadcast.game) : { id: 0, name: '', thumbnail: '' },
      stream: {
        is_live: broadcast !== undefined,
        is_mature: false,
        key: '',
        url: '',
        language: broadcast?.language ?? '',
        start_time: broadcast ? wireInstant(broadcast.startedAt) : NEVER,
        thumbnail: broadcast ? thumbnail({ pictures }, person.handle) : '',
        viewer_count: broadcast?.viewerCount ?? 0,
        custom_tags: [...(broadcast?.tags ?? [])],
      },
    };
  };
  return { data: channels.map(toRow) };
}

/** `GET /public/v1/users`: names and pictures. */
export function getUsers({ world, query, pictures }: KickRequest): KickPage {
  const ids = numbersOf(query, 'id', MOST_CHANNELS);
  if (ids.length === 0) throw new Refusal(401, 'Unauthorized');
  const data = ids.flatMap((id) => {
    const person = world.byUserId(id)?.person;
    return person ? [{ user_id: id, name: person.displayName, profile_picture: pictures.avatar(person.id) }] : [];
  });
  return { data };
}

/** `GET /public/v2/livestreams`: the live channels in the order of their start. */
export function getLivestreams(request: KickRequest): KickPage {
  const { world, query, pictures } = request;
  const categories = new Set(numbersOf(query, 'category_id', MOST_FILTERS));
  const languages = new Set(valuesOf(query, 'language_code', MOST_FILTERS).map((code) => code.toLowerCase()));

  const listAt = (atMs: number): readonly LiveChannel[] =>
    world
      .liveAt(atMs)
      .filter(
        ({ broadcast: { game, language } }) =>
          (categories.size === 0 || categories.has(world.categoryId(game))) && (languages.size === 0 || languages.has(language)),
      );
  const toRow = ({ userId, slug, person, broadcast }: LiveChannel): JsonObject => ({
    id: `00000000-0000-4000-8000-${broadcast.id.padStart(12, '0')}`,
    broadcaster_user: { id: userId, username: person.displayName, profile_picture: pictures.avatar(person.id) },
    channel: { slug },
    category: toCategory(request, broadcast.game),
    title: broadcast.title,
    language_code: broadcast.language,
    tags: [...broadcast.tags],
    started_at: wireInstant(broadcast.startedAt),
    thumbnail: thumbnail({ pictures }, person.handle),
    viewer_count: broadcast.viewerCount,
    has_mature_content: false,
  });
  return cutPage(request, listAt, toRow);
}

/** `GET /public/v2/categories`: by ids or by parts of names, separated by commas. */
export function getCategories(request: KickRequest): KickPage {
  const { world, query } = request;
  const list = (name: string): readonly string[] => (query.get(name) ?? '').split(',').filter((part) => part !== '');
  const names = list('name').map((name) => name.toLowerCase());
  const ids = list('id').map(Number);
  const found = world.categories.filter(
    (game) =>
      (names.length === 0 || names.some((name) => game.name.toLowerCase().includes(name))) &&
      (ids.length === 0 || ids.includes(world.categoryId(game))),
  );
  return cutPage(
    request,
    () => found,
    (game) => ({ ...toCategory(request, game), tags: [] }),
  );
}

function toCategory({ world, pictures }: Pick<KickRequest, 'world' | 'pictures'>, game: WorldGame): JsonObject {
  return { id: world.categoryId(game), name: game.name, thumbnail: sized(pictures.boxArt(game.id), 285, 380) };
}

function thumbnail({ pictures }: Pick<KickRequest, 'pictures'>, handle: string): string {
  return sized(pictures.preview(handle), 1280, 720);
}

function sized(template: string, width: number, height: number): string {
  return template.replace('{width}', String(width)).replace('{height}', String(height));
}
