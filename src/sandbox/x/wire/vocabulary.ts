import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';

/** The names that X writes posts with: those since 2020, or those of the OpenAPI document since August 2026. */
export type Vocabulary = 'tweet' | 'post';

/** What is called otherwise in the newer vocabulary, by its older name. */
const NEWER: Readonly<Record<string, string>> = {
  edit_history_tweet_ids: 'edit_history_post_ids',
  referenced_tweets: 'referenced_posts',
  'referenced_tweets.id': 'referenced_posts',
  note_tweet: 'note_post',
  pinned_tweet_id: 'pinned_post_id',
  most_recent_tweet_id: 'most_recent_post_id',
  retweet_count: 'repost_count',
  tweet_count: 'post_count',
  tweets: 'posts',
};

const OLDER: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(NEWER).map(([older, newer]) => [newer, older]));

/** Which names requests and answers have: one vocabulary only, or each request's own. */
export type Names = 'asked' | Vocabulary;

/** Whether the newer vocabulary calls this otherwise. */
export function isOlder(name: string): boolean {
  return name in NEWER;
}

/** The newer name; a name that both have stays. */
export function newerName(name: string): string {
  return NEWER[name] ?? name;
}

/** The older name; a name that both have stays. */
export function olderName(name: string): string {
  return name === 'referenced_posts' ? 'referenced_tweets' : (OLDER[name] ?? name);
}

/** Whether only the newer vocabulary has this name. */
export function isNewer(name: string): boolean {
  return name in OLDER;
}

/** The same answer with the names of a vocabulary. */
export function inVocabulary(answer: JsonObject, vocabulary: Vocabulary): JsonObject {
  return vocabulary === 'tweet' ? answer : renamed(answer);
}

function renamed(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [NEWER[name] ?? name, part === undefined ? part : renamedIn(part)]),
  );
}

function renamedIn(value: Json): Json {
  if (isJsonObject(value)) return renamed(value);
  return isJsonList(value) ? value.map(renamedIn) : value;
}
