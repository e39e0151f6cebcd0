import type { Post } from '#src/social/records/post.ts';
import type { JsonObject } from '#src/operation/json.ts';

/** What stands in a text, as a record says it: by the bytes of its UTF-8, and a person by the DID. */
export function facetsOf(text: string, entities: Post['entities'], didOf: (userId: string) => string | undefined): readonly JsonObject[] {
  return entities.flatMap(({ type, start, end, url, userId }): JsonObject[] => {
    const shown = text.slice(start, end);
    const did = userId === undefined ? undefined : didOf(userId);
    const index = { byteStart: Buffer.byteLength(text.slice(0, start)), byteEnd: Buffer.byteLength(text.slice(0, end)) };
    if (type === 'url') return [{ index, features: [{ $type: 'app.bsky.richtext.facet#link', uri: url ?? shown }] }];
    if (type === 'hashtag') return [{ index, features: [{ $type: 'app.bsky.richtext.facet#tag', tag: shown.slice(1) }] }];
    return did === undefined ? [] : [{ index, features: [{ $type: 'app.bsky.richtext.facet#mention', did }] }];
  });
}
