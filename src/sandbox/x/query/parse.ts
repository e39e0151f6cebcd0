import { invalid } from '../problem.ts';

/** Something a post says or is. */
export type Term =
  | { readonly kind: 'words' | 'hashtag' | 'mention' | 'cashtag'; readonly text: string }
  | { readonly kind: 'operator'; readonly name: string; readonly value: string };

/** What is searched for. */
export type Query =
  | Term
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Query[] }
  | { readonly kind: 'not'; readonly part: Query };

/** Operators that can stand alone, and those that need something beside them. */
const STANDALONE = new Set([
  'from',
  'to',
  'url',
  'context',
  'entity',
  'conversation_id',
  'in_reply_to_tweet_id',
  'in_reply_to_post_id',
  'quotes_of_tweet_id',
  'quotes_of_post_id',
  'retweets_of',
  'retweets_of_tweet_id',
]);
const BESIDE: Readonly<Record<string, ReadonlySet<string> | undefined>> = {
  is: new Set(['reply', 'retweet', 'quote', 'verified']),
  has: new Set(['media', 'images', 'videos', 'video_link', 'links', 'hashtags', 'mentions', 'cashtags', 'geo']),
  lang: undefined,
};

const TOKEN =
  /\s*(?:(?<open>\()|(?<close>\))|(?<minus>-)(?=\S)|(?<name>[a-z_]+):(?:"(?<quoted>[^"]*)"|(?<value>[^\s()]+))|"(?<phrase>[^"]*)"|(?<word>[^\s()"]+))/y;

interface Token {
  readonly open?: string;
  readonly close?: string;
  readonly minus?: string;
  readonly name?: string;
  readonly quoted?: string;
  readonly value?: string;
  readonly phrase?: string;
  readonly word?: string;
}

/** What a query asks for; refuses one that X does not understand. */
export function parseQuery(text: string): Query {
  const tokens = tokensOf(text);
  let at = 0;

  function any(): Query {
    const parts = [all()];
    while (tokens[at]?.word === 'OR') {
      at++;
      parts.push(all());
    }
    return parts.length === 1 ? (parts[0] ?? complain(text)) : { kind: 'any', parts };
  }

  function all(): Query {
    const parts: Query[] = [];
    for (let token = tokens[at]; token && token.close === undefined && token.word !== 'OR'; token = tokens[at]) parts.push(one(token));
    if (parts.length === 0) complain(text);
    return parts.length === 1 ? (parts[0] ?? complain(text)) : { kind: 'all', parts };
  }

  function one(token: Token): Query {
    at++;
    if (token.minus !== undefined) {
      const next = tokens[at];
      return next && next.minus === undefined ? { kind: 'not', part: one(next) } : complain(text);
    }
    if (token.open === undefined) return termOf(token, text);
    const inner = any();
    if (tokens[at++]?.close === undefined) complain(text);
    return inner;
  }

  const query = any();
  if (at < tokens.length || !isStandalone(query)) complain(text);
  return query;
}

/** Whether a query has a word in it: such a search returns no reposts. */
export function hasWords(query: Query): boolean {
  if (query.kind === 'all' || query.kind === 'any') return query.parts.some(hasWords);
  return query.kind === 'words' || query.kind === 'hashtag' || query.kind === 'mention' || query.kind === 'cashtag';
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const rest = text.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < rest.length) {
    const match = TOKEN.exec(rest);
    if (!match) return complain(text);
    tokens.push(match.groups ?? {});
  }
  return tokens.length > 0 ? tokens : complain(text);
}

function termOf({ name, quoted, value, phrase, word = '' }: Token, text: string): Term {
  if (name !== undefined) return operator(name, quoted ?? value ?? '');
  if (phrase !== undefined) return { kind: 'words', text: phrase };
  if (word === 'OR') complain(text);
  if (/^#./.test(word)) return { kind: 'hashtag', text: word };
  if (/^@./.test(word)) return { kind: 'mention', text: word.slice(1) };
  return /^\$[A-Za-z]+$/.test(word) ? { kind: 'cashtag', text: word.slice(1) } : { kind: 'words', text: word };
}

function operator(name: string, value: string): Term {
  const values = BESIDE[name];
  const known = STANDALONE.has(name) || (name in BESIDE && (values === undefined || values.has(value)));
  if (!known) {
    throw invalid({
      parameters: { query: [`${name}:${value}`] },
      message: `There were errors processing your request: Reference to invalid operator '${name}'. Operator is not available in current product or product packaging. (at position 1)`,
    });
  }
  return { kind: 'operator', name, value };
}

/** Whether a query has a part that is enough for itself: without one, half of all posts would match. */
function isStandalone(query: Query): boolean {
  switch (query.kind) {
    case 'all':
      return query.parts.some(isStandalone);
    case 'any':
      return query.parts.every(isStandalone);
    case 'not':
      return false;
    case 'operator':
      return STANDALONE.has(query.name);
    default:
      return true;
  }
}

function complain(text: string): never {
  throw invalid({
    parameters: { query: [text] },
    message: 'There were errors processing your request: the query is not well formed, or has no part that can stand alone.',
  });
}
