import { isJsonList, isJsonObject, type JsonObject } from '#src/operation/json.ts';
import { findPlace } from '../../social/places.ts';
import type { WorldPerson } from '../../world/world.ts';
import { latestOf, versionsOf, type PostVersion } from '../ids/post-ids.ts';
import { userId } from '../ids/user-ids.ts';
import { missing } from '../problem.ts';
import { toXMedia, toXPlace, toXPoll, type ShownMedia } from './attachment.ts';
import { pollIdOf, referencesOf, textOf, toTweet } from './post.ts';
import { toXUser } from './user.ts';
import { findReferenced, type View } from './view.ts';

/** What stands beside the things that were asked for, each once. */
export class Includes {
  readonly #view: View;
  readonly #users = new Map<string, JsonObject>();
  readonly #tweets = new Map<string, JsonObject>();
  readonly #media = new Map<string, JsonObject>();
  readonly #polls = new Map<string, JsonObject>();
  readonly #places = new Map<string, JsonObject>();

  constructor(view: View) {
    this.#view = view;
  }

  addUser(person: WorldPerson | undefined): void {
    if (person && !this.#users.has(person.id)) this.#users.set(person.id, toXUser(person, this.#view));
  }

  addUserById(storedId: string): void {
    this.addUser(this.#view.moment.people.find(storedId));
  }

  addTweet(version: PostVersion): void {
    if (!this.#tweets.has(version.id)) this.#tweets.set(version.id, toTweet(version, this.#view));
  }

  addMedia(shown: ShownMedia): void {
    const key = this.#view.media.keyOf(shown.media, shown.post);
    if (!this.#media.has(key)) this.#media.set(key, toXMedia(shown, this.#view));
  }

  /** What the expansions want beside a post. */
  addBeside(version: PostVersion): void {
    const { post, media, history, id } = version;
    const { expansions } = this.#view.asked;
    if (expansions.has('author_id') || expansions.has('username')) this.addUserById(post.authorId);
    if (expansions.has('attachments.media_keys') && post.repostOf === undefined)
      for (const one of media) this.addMedia({ media: one, post });
    if (expansions.has('attachments.poll_ids') && post.poll && post.repostOf === undefined)
      this.#polls.set(pollIdOf(post), toXPoll(post, this.#view));
    if (expansions.has('geo.place_id')) this.#addPlace(post.place);
    if (expansions.has('in_reply_to_user_id')) this.#addAnswered(version);
    if (expansions.has('entities.mentions.username')) this.#addMentioned(version);
    if (expansions.has('edit_history_tweet_ids') && history.length > 1) {
      for (const other of versionsOf(post)) if (other.id !== id) this.addTweet(other);
    }
    this.#addReferenced(version);
  }

  /** Absent where there is nothing. */
  toJson(): JsonObject | undefined {
    const lists = { users: this.#users, tweets: this.#tweets, media: this.#media, polls: this.#polls, places: this.#places };
    const filled = Object.entries(lists).filter(([, { size }]) => size > 0);
    return filled.length === 0 ? undefined : Object.fromEntries(filled.map(([name, items]) => [name, [...items.values()]]));
  }

  #addPlace(id: string | undefined): void {
    const place = id === undefined ? undefined : findPlace(id);
    if (place) this.#places.set(place.id, toXPlace(place, this.#view));
  }

  #addAnswered({ post }: PostVersion): void {
    const parent = post.replyTo === undefined ? undefined : findReferenced(post.replyTo, this.#view);
    if (parent) this.addUserById(parent.authorId);
  }

  #addMentioned(version: PostVersion): void {
    const mentions = textOf(version, this.#view).entities?.['mentions'];
    for (const mention of isJsonList(mentions) ? mentions : []) {
      const id = isJsonObject(mention) ? mention['id'] : undefined;
      this.addUser(this.#view.moment.people.all.find((person) => userId(person) === id));
    }
  }

  /** What a post answers, quotes or passes on; what does not show any more is an error of the answer. */
  #addReferenced({ post }: PostVersion): void {
    const { expansions } = this.#view.asked;
    const wanted = ['referenced_tweets.id', 'referenced_tweets.id.author_id', 'referenced_tweets.id.attachments.media_keys'];
    if (!wanted.some((name) => expansions.has(name))) return;
    const storedIds = post.repostOf === undefined ? [post.replyTo, post.quote] : [post.repostOf];
    for (const storedId of storedIds.filter((each) => each !== undefined)) {
      const found = this.#view.moment.feed.find(storedId);
      if (!found) continue;
      const version = latestOf(found);
      this.addTweet(version);
      if (expansions.has('referenced_tweets.id.author_id')) this.addUserById(found.authorId);
      if (expansions.has('referenced_tweets.id.attachments.media_keys'))
        for (const one of version.media) this.addMedia({ media: one, post: found });
    }
    const shown = new Set(
      storedIds
        .flatMap((storedId) => (storedId === undefined ? [] : (this.#view.moment.feed.find(storedId) ?? [])))
        .map((each) => latestOf(each).id),
    );
    for (const { id } of referencesOf(post, this.#view)) {
      if (!shown.has(id)) this.#view.errors.push(missing({ type: 'tweet', parameter: 'referenced_tweets.id', value: id }));
    }
  }
}
