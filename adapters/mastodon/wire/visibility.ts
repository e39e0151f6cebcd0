import type { PostVisibility } from '#src/clients/social/enumerations.ts';

/** A visibility under its name in Mastodon's API. */
export type WireVisibility = Exclude<PostVisibility, 'followers'> | 'private';

/** The visibility as a request names it. */
export function toWireVisibility(visibility: PostVisibility | undefined): WireVisibility | undefined {
  return visibility === 'followers' ? 'private' : visibility;
}

/** The visibility of a status. An unknown one, for example `mutuals_only`, is restricted. */
export function fromWireVisibility(visibility: string): PostVisibility {
  return visibility === 'public' || visibility === 'unlisted' || visibility === 'direct' ? visibility : 'followers';
}
