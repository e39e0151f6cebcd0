import { isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import { fromAtUri } from '../data/at-uri.ts';
import { POST } from '../repo/post-records.ts';
import { objectsAt, textAt, valueAt } from '../repo/references.ts';
import { whoReacted } from '../../social/crowd/who-reacted.ts';
import { findGenerator, toGenerator } from './generators.ts';
import { answersOf, isDetached } from './gates.ts';
import { selfLabels } from './labels.ts';
import { findList, toList } from './list.ts';
import { authorOf, findPost, isBlocked, type Look } from './look.ts';
import { toBasicProfile } from './profile.ts';

const RECORD_VIEW = 'app.bsky.embed.record#';

/** Whose record shows something, and how deep it stands in others. */
export interface Place {
  readonly uri: string;
  readonly did: string;
  readonly depth: number;
}

/** What a post shows below its text, as it is looked at; undefined where there is nothing, or nothing that is known. */
export function toEmbed(embed: Json | undefined, place: Place, look: Look): JsonObject | undefined {
  const view = mediaView(embed, place, look);
  if (view) return view;
  switch (textAt(embed, '$type')) {
    case 'app.bsky.embed.record':
      return { $type: `${RECORD_VIEW}view`, record: shownRecord(textAt(embed, 'record', 'uri') ?? '', place, look) };
    case 'app.bsky.embed.recordWithMedia': {
      const media = mediaView(valueAt(embed, 'media'), place, look);
      const record = { record: shownRecord(textAt(embed, 'record', 'record', 'uri') ?? '', place, look) };
      return media && { $type: 'app.bsky.embed.recordWithMedia#view', record: { $type: `${RECORD_VIEW}view`, ...record }, media };
    }
    default:
      return undefined;
  }
}

function mediaView(embed: Json | undefined, { did }: Place, { url }: Look): JsonObject | undefined {
  const picture = (kind: string, cid: string | undefined): string => `${url}/img/${kind}/plain/${did}/${cid}@jpeg`;
  switch (textAt(embed, '$type')) {
    case 'app.bsky.embed.images':
      return {
        $type: 'app.bsky.embed.images#view',
        images: objectsAt(embed, 'images').map(({ image, alt, aspectRatio }) => {
          const cid = textAt(image, 'ref', '$link');
          return { thumb: picture('feed_thumbnail', cid), fullsize: picture('feed_fullsize', cid), alt, aspectRatio };
        }),
      };
    case 'app.bsky.embed.gallery':
      return {
        $type: 'app.bsky.embed.gallery#view',
        items: objectsAt(embed, 'items').map(({ image, alt, aspectRatio }) => {
          const cid = textAt(image, 'ref', '$link');
          const [thumbnail, fullsize] = [picture('feed_thumbnail', cid), picture('feed_fullsize', cid)];
          return { $type: 'app.bsky.embed.gallery#viewImage', thumbnail, fullsize, alt, aspectRatio };
        }),
      };
    case 'app.bsky.embed.video': {
      const cid = textAt(embed, 'video', 'ref', '$link');
      const place = `${url}/video/watch/${encodeURIComponent(did)}/${cid}`;
      const { alt, aspectRatio, presentation } = isJsonObject(embed) ? embed : {};
      const files = { playlist: `${place}/playlist.m3u8`, thumbnail: `${place}/thumbnail.jpg` };
      return { $type: 'app.bsky.embed.video#view', cid, ...files, alt, aspectRatio, presentation };
    }
    case 'app.bsky.embed.external': {
      const cid = textAt(embed, 'external', 'thumb', 'ref', '$link');
      const [uri, title, description] = ['uri', 'title', 'description'].map((key) => textAt(embed, 'external', key) ?? '');
      const thumb = cid === undefined ? undefined : picture('feed_thumbnail', cid);
      return { $type: 'app.bsky.embed.external#view', external: { uri, title, description, thumb } };
    }
    default:
      return undefined;
  }
}

/** A record that another shows: a post, a feed, a list, or why it is not shown. */
function shownRecord(uri: string, place: Place, look: Look): JsonObject {
  if (isBlocked(look, uri)) {
    const did = fromAtUri(uri)?.repo ?? '';
    return { $type: `${RECORD_VIEW}viewBlocked`, uri, blocked: true, author: { did } };
  }
  if (isDetached(look, { shown: uri, by: place.uri })) return { $type: `${RECORD_VIEW}viewDetached`, uri, detached: true };
  const generator = findGenerator(uri, look);
  if (generator) return { $type: 'app.bsky.feed.defs#generatorView', ...toGenerator(generator, look) };
  const list = findList(uri, look);
  if (list) return { $type: 'app.bsky.graph.defs#listView', ...toList(list, look) };
  return shownPost(uri, place, look) ?? { $type: `${RECORD_VIEW}viewNotFound`, uri, notFound: true };
}

function shownPost(uri: string, { depth }: Place, look: Look): JsonObject | undefined {
  const post = fromAtUri(uri)?.collection === POST ? findPost(look, uri) : undefined;
  if (!post) return undefined;
  const record = look.bluesky.posts.of(post);
  const author = authorOf(look, post);
  const did = look.bluesky.directory.didOf(author);
  // What the shown post shows itself is seen once more, and no deeper.
  const embed = depth < 1 ? toEmbed(record.record['embed'], { uri: record.uri, did, depth: depth + 1 }, look) : undefined;
  return {
    $type: `${RECORD_VIEW}viewRecord`,
    uri: record.uri,
    cid: record.cid,
    author: toBasicProfile(author, look),
    value: record.record,
    labels: selfLabels(record, { did, atMs: post.createdAtMs }),
    likeCount: whoReacted('like', post, look.moment).length,
    repostCount: whoReacted('repost', post, look.moment).length,
    replyCount: answersOf(look, post).length,
    quoteCount: look.moment.feed.quotesOf(post.id).length,
    embeds: embed ? [embed] : [],
    indexedAt: new Date(post.createdAtMs).toISOString(),
  };
}
