import { xLinksIn } from './length.ts';
import { runsOf } from '#src/clients/operation/text/links.ts';
import { MENTION } from './limit.ts';
import type { Post } from '#src/clients/social/records/post.ts';

type Entity = Post['entities'][number];

/** A tag has a letter. */
const HASHTAG = /(?<![\p{L}\p{M}\p{N}_&])[#＃](?=[\p{N}_]*[\p{L}\p{M}])[\p{L}\p{M}\p{N}_]+/gu;
const CASHTAG = /(?<=^|\s)\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|\s|\p{P})/giu;

/** The links, mentions and tags of a new post, as X will read them. */
export function entitiesIn(text: string): Entity[] {
  const entities: Entity[] = [];
  for (const entity of [...linksIn(text), ...mentionsIn(text), ...tagsIn(text, 'hashtag', HASHTAG), ...tagsIn(text, 'cashtag', CASHTAG)]) {
    if (entities.every(({ start, end }) => entity.end <= start || entity.start >= end)) entities.push(entity);
  }
  return entities.toSorted((a, b) => a.start - b.start);
}

function linksIn(text: string): readonly Entity[] {
  let end = 0;
  const complete = runsOf(text).flatMap(({ text: url, link }): readonly Entity[] => {
    const start = end;
    end += url.length;
    return link ? [{ type: 'url', start, end, url }] : [];
  });
  const hosts = xLinksIn(text).map(({ 0: host, index: start }): Entity => {
    const isComplete = /^https?:/i.test(host);
    return { type: 'url', start, end: start + host.length, url: isComplete ? host : `http://${host}` };
  });
  return [...complete, ...hosts];
}

function mentionsIn(text: string): readonly Entity[] {
  return [...text.matchAll(MENTION)].map(({ 0: name, index: start }) => {
    return { type: 'mention', start, end: start + name.length, url: `https://x.com/${name.slice(1)}` };
  });
}

function tagsIn(text: string, type: 'hashtag' | 'cashtag', pattern: RegExp): readonly Entity[] {
  return [...text.matchAll(pattern)].map(({ 0: tag, index: start }) => ({ type, start, end: start + tag.length }));
}
