import { discord } from './discord/index.ts';
import { giphy } from './giphy/index.ts';
import { kick } from './kick/index.ts';
import { openai } from './openai/index.ts';
import { sandbox } from './sandbox/index.ts';
import { twitch } from './twitch/index.ts';

/** The supported platforms. Large adapters load only if an account needs them. */
export const adapters = {
  discord,
  giphy,
  kick,
  openai,
  sandbox,
  twitch,
  x: async () => (await import('./x/index.ts')).x,
  bluesky: async () => (await import('./bluesky/index.ts')).bluesky,
  mastodon: async () => (await import('./mastodon/index.ts')).mastodon,
};

/** The browser sign-ins, by platform. */
export async function loadSignIns() {
  const [{ signInToX }, { signInToMastodon }] = await Promise.all([import('./x/auth/sign-in.ts'), import('./mastodon/auth/sign-in.ts')]);
  return { x: signInToX, mastodon: signInToMastodon };
}
