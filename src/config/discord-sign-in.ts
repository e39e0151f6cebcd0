import type { Environment } from './environment.ts';
import type { FanfareFile, FileMistake } from './fanfare-file.ts';

export interface DiscordSignInSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The ids of the servers in which roles count. */
  readonly servers: readonly string[];
  /** Ids of roles, `everyone`, `managers` or `administrators`. */
  readonly roles: Readonly<Record<'viewer' | 'editor' | 'admin', readonly string[]>>;
  readonly apiUrl: string;
}

/** Reads the sign-in with Discord; undefined: it is not set up. */
export function readDiscordSignIn(
  { signIn }: FanfareFile,
  { DISCORD_CLIENT_SECRET: clientSecret, DISCORD_API_URL: apiUrl }: Environment,
  onMistake: (mistake: FileMistake) => void,
): DiscordSignInSettings | undefined {
  if (!signIn?.discord) return undefined;
  const { clientId, servers, viewer = [], editor = [], admin = ['administrators'] } = signIn.discord;
  if (clientSecret === undefined) {
    const hint = 'copy it from the page OAuth2 of the application to DISCORD_CLIENT_SECRET';
    const message = 'the sign-in with Discord needs the client secret of the application';
    onMistake({ path: ['signIn', 'discord'], message, hint, isSecretUnset: true });
    return undefined;
  }
  const roles = { viewer: [viewer].flat(), editor: [editor].flat(), admin: [admin].flat() };
  return { clientId, clientSecret, servers: [servers].flat(), roles, apiUrl: String(apiUrl) };
}
