import { createAccess, type Access } from '#src/admin/access/access.ts';
import type { DiscordSignIn } from '#src/admin/access/discord-sign-in.ts';
import type { Clock } from '#src/clock.ts';
import type { DiscordSignInSettings } from '#src/config/discord-sign-in.ts';
import { openConfig } from '#src/config/open-config.ts';
import type { Store } from '#src/store/store.ts';
import { hasStoredState, makeStoredState, withStoredState } from './stored-state.ts';

/** The people, sessions and tokens in a store. */
export async function accessIn({ openAccess, auditLog }: Pick<Store, 'openAccess' | 'auditLog'>, clock: Clock): Promise<Access> {
  return createAccess({ store: await openAccess(), auditLog, clock });
}

export async function openDiscordSignIn({ roles, ...options }: DiscordSignInSettings, clock: Clock): Promise<DiscordSignIn> {
  const { discordSignIn } = await import('#adapters/discord/sign-in.ts');
  return { ...discordSignIn({ ...options, clock }), roles };
}

/** Calls `use` with the people and tokens of the installation that `environment` describes. Creates its state if there is none. */
export async function withAccess<T>(
  environment: Readonly<Record<string, string | undefined>>,
  use: (access: Access) => Promise<T>,
): Promise<T> {
  const config = openConfig(environment);
  if (!hasStoredState(config)) await makeStoredState(config);
  return withStoredState(config, async (store) => use(await accessIn(store, store.clock)));
}
