import type { JsonObject } from '#src/operation/json.ts';
import { draw } from '../../twitch/pictures/draw.ts';
import type { StoredMedia } from '../../social/posts.ts';
import { cidOf } from '../data/cid.ts';
import { blobRef } from './blobs.ts';

export const PICTURE_TYPE = 'image/svg+xml';

/** What is in a picture that somebody of the world posted by themselves. */
export function pictureContent({ id, altText: label = '', width = 0, height = 0 }: StoredMedia): Buffer<ArrayBuffer> {
  return Buffer.from(draw({ key: id, label, width, height }));
}

/** Such pictures as a post shows them. */
export function picturesEmbed(media: readonly StoredMedia[]): JsonObject {
  const images = media.map((picture) => {
    const content = pictureContent(picture);
    const image = blobRef({ cid: cidOf('blob', content), mimeType: PICTURE_TYPE, size: content.length });
    return { image, alt: picture.altText ?? '', aspectRatio: { width: picture.width ?? 1, height: picture.height ?? 1 } };
  });
  return { $type: 'app.bsky.embed.images', images };
}
