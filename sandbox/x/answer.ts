import { isJsonList, isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import { findPlace, pollOf } from '../social/records.ts';
import type { StoredMedia, StoredPost } from '../social/posts.ts';
import type { WorldPerson } from '../world/world.ts';
import { latestOf, userId, versionsOf, type PostVersion } from './ids.ts';
import { pageOf, type Paging } from './paging.ts';
import { findReferenced, instant, made, pollIdOf, referencesOf, textOf, toTweet, type Makers, type View } from './post-json.ts';
import { missing } from './problem.ts';
import type { XRequest } from './request.ts';
import { toXUser } from './user-json.ts';

/** A file and the post or the message that contains it. */
interface ShownMedia {
  readonly media: StoredMedia;
  readonly post: Pick<StoredPost, 'createdAtMs'>;
}

const MEDIA_TYPES = { image: 'photo', gif: 'animated_gif', video: 'video', audio: 'video' } as const;
const mediaMakers: Makers<ShownMedia> = {
  media_key: ({ media, post }, view) => view.xMedia.keyOf(media, post),
  type: ({ media }) => MEDIA_TYPES[media.kind],
  alt_text: ({ media }) => media.altText,
  duration_ms: ({ media }) => (media.kind === 'video' ? 0 : undefined),
  height: ({ media }) => media.height,
  width: ({ media }) => media.width,
  preview_image_url: ({ media }, { snapshot }) => (media.kind === 'image' ? undefined : `${snapshot.url}/media/${media.id}`),
  public_metrics: ({ media }) => (media.kind === 'video' ? { view_count: 0 } : undefined),
  url: ({ media }, { snapshot }) => (media.kind === 'image' ? `${snapshot.url}/media/${media.id}` : undefined),
  variants: ({ media }, { snapshot }) =>
    media.kind === 'image' ? undefined : [{ content_type: 'video/mp4', bit_rate: 0, url: `${snapshot.url}/media/${media.id}` }],
};
const pollMakers: Makers<StoredPost> = {
  id: pollIdOf,
  options: (post, { snapshot }) =>
    pollOf(post, snapshot)?.options.map(({ index, label, votes = 0 }) => ({ position: index + 1, label, votes })),
  duration_minutes: ({ poll, createdAtMs }) => poll && Math.round((poll.endsAtMs - createdAtMs) / 60_000),
  end_datetime: ({ poll }) => poll && instant(poll.endsAtMs),
  voting_status: (post, { snapshot }) => (pollOf(post, snapshot)?.closed ? 'closed' : 'open'),
};
const placeMakers: Makers<NonNullable<ReturnType<typeof findPlace>>> = {
  id: ({ id }) => id,
  full_name: ({ fullName, name }) => fullName ?? name,
  name: ({ name }) => name,
  country: ({ country }) => country,
  country_code: ({ countryCode }) => countryCode,
  place_type: () => 'city',
};

/** The objects that expansions add to an answer, and its partial errors. */
export class Includes {
  readonly #view: View;
  readonly #lists = { users: this.#list(), tweets: this.#list(), media: this.#list(), polls: this.#list(), places: this.#list() };
  readonly #errors: JsonObject[] = [];

  constructor(view: View) {
    this.#view = view;
  }

  #list(): Map<string, JsonObject> {
    return new Map();
  }

  addUser(storedId: string): void {
    const person = this.#view.snapshot.people.find(storedId);
    if (person) this.#lists.users.set(person.id, toXUser(person, this.#view));
  }

  addTweet(version: PostVersion): void {
    this.#lists.tweets.set(version.id, toTweet(version, this.#view));
  }

  addMedia(media: readonly StoredMedia[], post: ShownMedia['post']): void {
    for (const one of media) {
      const shown = { media: one, post };
      this.#lists.media.set(this.#view.xMedia.keyOf(one, post), made(mediaMakers, shown, 'media', this.#view));
    }
  }

  addExpansionsOf(version: PostVersion): void {
    const { post, media, history, id } = version;
    const { selection, snapshot } = this.#view;
    const has = (...names: readonly string[]): boolean => names.some((name) => selection.expansions.has(name));
    if (has('author_id', 'username')) this.addUser(post.authorId);
    if (has('attachments.media_keys') && post.repostOf === undefined) this.addMedia(media, post);
    if (has('attachments.poll_ids') && post.poll && post.repostOf === undefined) {
      this.#lists.polls.set(pollIdOf(post), made(pollMakers, post, 'poll', this.#view));
    }
    const place = findPlace(post.place ?? '');
    if (has('geo.place_id') && place) this.#lists.places.set(place.id, made(placeMakers, place, 'place', this.#view));
    const parent = post.replyTo === undefined ? undefined : findReferenced(post.replyTo, this.#view);
    if (has('in_reply_to_user_id') && parent) this.addUser(parent.authorId);
    if (has('entities.mentions.username')) {
      const mentions = textOf(version, this.#view).entities?.['mentions'];
      const ids = new Set((isJsonList(mentions) ? mentions : []).map((mention) => (isJsonObject(mention) ? mention['id'] : undefined)));
      for (const person of snapshot.people.all) if (ids.has(userId(person))) this.addUser(person.id);
    }
    if (has('edit_history_tweet_ids') && history.length > 1) {
      for (const other of versionsOf(post)) if (other.id !== id) this.addTweet(other);
    }
    const withAuthor = has('referenced_tweets.id.author_id');
    const withMedia = has('referenced_tweets.id.attachments.media_keys');
    if (withAuthor || withMedia || has('referenced_tweets.id')) this.#addReferenced(post, withAuthor, withMedia);
  }

  /** A referenced post that reads do not show is an error of the answer. */
  #addReferenced(post: StoredPost, withAuthor: boolean, withMedia: boolean): void {
    for (const { id } of referencesOf(post, this.#view)) {
      const version = this.#view.findPost(id);
      if (version) {
        this.addTweet(version);
        if (withAuthor) this.addUser(version.post.authorId);
        if (withMedia) this.addMedia(version.media, version.post);
      } else {
        this.#errors.push(missing({ type: 'tweet', parameter: 'referenced_tweets.id', value: id }));
      }
    }
  }

  /** `includes` and `errors`, if there are any. */
  toJson(errors: readonly JsonObject[] = []): JsonObject {
    const filled = Object.entries(this.#lists).filter(([, { size }]) => size > 0);
    const all = [...errors, ...this.#errors];
    return {
      ...(filled.length > 0 && { includes: Object.fromEntries(filled.map(([name, items]) => [name, [...items.values()]])) }),
      ...(all.length > 0 && { errors: all }),
    };
  }
}

interface AnswerOptions {
  readonly errors?: readonly JsonObject[];
  readonly meta?: JsonObject;
}

/** Items as `data` with their expansions. */
export function answerMany<T>(
  items: readonly T[],
  request: XRequest,
  toJson: (item: T, includes: Includes) => JsonObject,
  { errors, meta }: AnswerOptions = {},
): JsonObject {
  const includes = new Includes(request);
  const data = items.map((item) => toJson(item, includes));
  return { ...(data.length > 0 && { data }), ...includes.toJson(errors), ...(meta && { meta }) };
}

/** The answer for a single item. */
export function single({ data, ...rest }: JsonObject): JsonObject {
  return { ...(isJsonList(data) && { data: data[0] }), ...rest };
}

export function answerPosts(versions: readonly PostVersion[], request: XRequest, options: AnswerOptions = {}): JsonObject {
  const toJson = (version: PostVersion, includes: Includes): JsonObject => {
    includes.addExpansionsOf(version);
    return toTweet(version, request);
  };
  return answerMany(versions, request, toJson, options);
}

export function answerUsers(people: readonly WorldPerson[], request: XRequest, options: AnswerOptions = {}): JsonObject {
  const toJson = (person: WorldPerson, includes: Includes): JsonObject => {
    const user = toXUser(person, request);
    for (const name of ['pinned_tweet_id', 'most_recent_tweet_id']) {
      const id = user[name];
      const version = request.selection.expansions.has(name) && typeof id === 'string' ? request.findPost(id) : undefined;
      if (version) includes.addTweet(version);
    }
    return user;
  };
  return answerMany(people, request, toJson, options);
}

/** A page of posts. With `hasEnds`, `meta` has the newest and the oldest id. */
export function postsPage(posts: readonly StoredPost[], request: XRequest, paging: Paging & { readonly hasEnds?: boolean }): JsonObject {
  const { items, meta } = pageOf(posts.map(latestOf), request, paging, ({ id }) => id);
  const ids = items.map(({ id }) => id).toSorted((a, b) => Number(BigInt(a) - BigInt(b)));
  const ends = paging.hasEnds && ids.length > 0 ? { newest_id: ids.at(-1), oldest_id: ids[0] } : {};
  return answerPosts(items, request, { meta: { ...ends, ...meta } });
}

export function usersPage(people: readonly WorldPerson[], request: XRequest, paging: Paging): JsonObject {
  const { items, meta } = pageOf(people, request, paging, ({ id }) => id);
  return answerUsers(items, request, { meta });
}
