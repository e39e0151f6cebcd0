import { z } from 'zod';
import { fromAtUri } from '../data/at-uri.ts';
import type { Bluesky } from '../core.ts';
import { POST } from '../repo/post-records.ts';
import { strongRef } from '../repo/derived.ts';
import { findPost, lookOf } from '../view/look.ts';
import { toPostOrAbsence } from '../view/post.ts';
import { procedure, query, type Endpoints } from '../xrpc/endpoint.ts';
import { paging, StrongRef, AtUri } from '../xrpc/params.ts';
import { cutPage } from '../xrpc/paging.ts';
import { invalidRequest } from '../xrpc/refusal.ts';

/** `app.bsky.bookmark`: what somebody keeps for themselves. It is no record: nobody else sees it. */
export function bookmarkEndpoints(bluesky: Bluesky): Endpoints {
  return {
    'app.bsky.bookmark.createBookmark': procedure(StrongRef, ({ uri }, call) => {
      checkCollection(uri);
      const look = lookOf(bluesky, call);
      const post = findPost(look, uri);
      if (post) look.moment.bookmarks.add(look.viewer.id, post.id);
      return undefined;
    }),

    'app.bsky.bookmark.deleteBookmark': procedure(z.looseObject({ uri: AtUri }), ({ uri }, call) => {
      checkCollection(uri);
      const look = lookOf(bluesky, call);
      const post = findPost(look, uri);
      if (post) look.moment.bookmarks.remove(look.viewer.id, post.id);
      return undefined;
    }),

    'app.bsky.bookmark.getBookmarks': query(z.object(paging()), (asked, call) => {
      const look = lookOf(bluesky, call);
      const kept = look.moment.bookmarks.of(look.viewer.id).flatMap((id) => look.moment.feed.find(id) ?? []);
      const { items, cursor } = cutPage(kept, asked, { idOf: ({ id }) => id, fault: call.fault });
      const bookmarks = items.map((post) => {
        const named = bluesky.posts.of(post);
        return { subject: strongRef(named), item: toPostOrAbsence(named.uri, look) };
      });
      return { cursor, bookmarks };
    }),
  };
}

function checkCollection(uri: string): void {
  if (fromAtUri(uri)?.collection !== POST) throw invalidRequest('Only post bookmarks are supported', 'UnsupportedCollection');
}
