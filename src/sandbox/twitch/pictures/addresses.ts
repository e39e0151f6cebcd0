/** The addresses of all pictures of the platform. */
export interface Pictures {
  avatar(personId: string): string;
  offline(personId: string): string;
  /** With `{width}` and `{height}` to be filled in. */
  preview(handle: string): string;
  /** Likewise. */
  boxArt(gameId: string): string;
  smallBoxArt(gameId: string): string;
  /** With `%{width}` and `%{height}`, as Twitch has it for videos alone. */
  video(videoId: string): string;
  clip(clipId: string): string;
}

/** Addresses below `root`. */
export function pictureAddresses(root: string): Pictures {
  return {
    avatar: (id) => `${root}/avatar/${id}-300x300.jpg`,
    offline: (id) => `${root}/offline/${id}-1920x1080.jpg`,
    preview: (handle) => `${root}/preview/live_user_${handle}-{width}x{height}.jpg`,
    boxArt: (id) => `${root}/boxart/${id}-{width}x{height}.jpg`,
    smallBoxArt: (id) => `${root}/boxart/${id}-52x72.jpg`,
    video: (id) => `${root}/video/${id}-%{width}x%{height}.jpg`,
    clip: (id) => `${root}/clip/${id}-480x272.jpg`,
  };
}
