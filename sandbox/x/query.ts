import { fold, hashtagsIn } from '../social/hashtags.ts';
import type { StoredPost } from '../social/posts.ts';
import { findById, findByUsername } from './ids.ts';
import { conversationIdOf, findReferenced, isAbout, type View } from './post-json.ts';
import { invalid } from './problem.ts';

/** A search query: words and operators with AND, OR, NOT and brackets. */
export type Query =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'operator'; readonly name: string; readonly value: string }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Query[] }
  | { readonly kind: 'not'; readonly part: Query };

/** The operators that Fanfare uses, and whether each can stand alone. */
const OPERATORS: Readonly<Record<string, boolean>> = {
  from: true,
  to: true,
  conversation_id: true,
  context: true,
  entity: true,
  is: false,
  has: false,
};

const TOKEN =
  /\s*(?:(?<open>\()|(?<close>\))|(?<minus>-)(?=\S)|(?<name>[a-z_]+):(?:"(?<quoted>[^"]*)"|(?<value>[^\s()]+))|"(?<phrase>[^"]*)"|(?<word>[^\s()"]+))/y;
type Token = Readonly<Partial<Record<'open' | 'close' | 'minus' | 'name' | 'quoted' | 'value' | 'phrase' | 'word', string>>>;

/** Parses a query. Refuses a query that X does not accept. */
export function parseQuery(text: string): Query {
  const tokens = tokensOf(text);
  let next = 0;

  function any(): Query {
    const parts = [all()];
    while (tokens[next]?.word === 'OR') {
      next++;
      parts.push(all());
    }
    return { kind: 'any', parts };
  }

  function all(): Query {
    const parts: Query[] = [];
    for (let token = tokens[next]; token && token.close === undefined && token.word !== 'OR'; token = tokens[next]) parts.push(one(token));
    if (parts.length === 0) throw malformed(text);
    return { kind: 'all', parts };
  }

  function one({ open, minus, name, quoted, value = '', phrase, word = '' }: Token): Query {
    next++;
    const following = tokens[next];
    if (minus !== undefined && following) return { kind: 'not', part: one(following) };
    if (open !== undefined) {
      const inner = any();
      if (tokens[next++]?.close === undefined) throw malformed(text);
      return inner;
    }
    if (name === undefined) return { kind: 'words', text: phrase ?? word };
    if (!(name in OPERATORS)) throw malformed(`${name}:${value}`);
    return { kind: 'operator', name, value: quoted ?? value };
  }

  const query = any();
  if (next < tokens.length || !isStandalone(query)) throw malformed(text);
  return query;
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const rest = text.trimEnd();
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < rest.length;) {
    const match = TOKEN.exec(rest);
    if (!match) throw malformed(text);
    tokens.push(match.groups ?? {});
  }
  return tokens;
}

/** Whether a query selects posts without another part. */
function isStandalone(query: Query): boolean {
  if (query.kind === 'all') return query.parts.some(isStandalone);
  if (query.kind === 'any') return query.parts.every(isStandalone);
  return query.kind === 'words' || (query.kind === 'operator' && OPERATORS[query.name] === true);
}

function malformed(text: string): Error {
  return invalid({
    parameters: { query: [text] },
    message: 'There were errors processing your request: the query is not well formed, or has no part that can stand alone.',
  });
}

/** Whether a search can leave out reposts, which are many and generated on demand. */
export function excludesReposts(query: Query): boolean {
  if (query.kind === 'all') return query.parts.some(excludesReposts);
  if (query.kind === 'any') return query.parts.every(excludesReposts);
  if (query.kind === 'not') return query.part.kind === 'operator' && query.part.value === 'retweet';
  return query.kind === 'words';
}

export function matches(post: StoredPost, query: Query, view: View): boolean {
  switch (query.kind) {
    case 'all':
      return query.parts.every((part) => matches(post, part, view));
    case 'any':
      return query.parts.some((part) => matches(post, part, view));
    case 'not':
      return !matches(post, query.part, view);
    case 'words':
      return hasWords(post.text, query.text);
    case 'operator':
      return matchesOperator(post, query.name, query.value, view);
  }
}

function matchesOperator(post: StoredPost, name: string, value: string, view: View): boolean {
  const { people, games } = view.snapshot;
  const person = findById(value, people) ?? findByUsername(value.replace(/^@/, ''), people);
  switch (name) {
    case 'from':
      return post.authorId === person?.id;
    case 'to':
      return person !== undefined && post.replyTo !== undefined && findReferenced(post.replyTo, view)?.authorId === person.id;
    case 'conversation_id':
      return conversationIdOf(post, view) === value;
    case 'context':
      return isAbout(post.text, value, games);
    case 'entity':
      return hasWords(post.text, value);
    case 'is':
      return value === 'retweet' ? post.repostOf !== undefined : post.replyTo !== undefined;
    default:
      return post.media.length > 0;
  }
}

/** The usernames that a text mentions, in lower case. */
export function mentionsOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/(?<![\p{L}\p{N}_])@([A-Za-z0-9_]{1,20})/gu)].map(([, name = '']) => name.toLowerCase()));
}

/** Whether a text contains a hashtag, a mention or whole words. */
function hasWords(text: string, words: string): boolean {
  if (/^#./.test(words)) return hashtagsIn(text).has(fold(words));
  if (/^@./.test(words)) return mentionsOf(text).has(words.slice(1).toLowerCase());
  const escaped = RegExp.escape(fold(words));
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'u').test(fold(text));
}
