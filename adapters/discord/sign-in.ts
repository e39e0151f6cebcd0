import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { isFault } from '#src/http/errors.ts';
import { httpClient, type HttpClient } from '#src/http/client.ts';
import { basicAuthorization } from '#src/http/request-parts.ts';
import { newProof, proofKey } from '#src/http/secrets/sign-in.ts';

const PLATFORM = 'discord';
const ADMINISTRATOR = 1n << 3n;
const MANAGE_GUILD = 1n << 5n;
const SCOPES = 'identify guilds guilds.members.read';

const Issued = z.object({ access_token: z.string().min(1), token_type: z.string() });
const User = z.object({ id: z.string(), username: z.string(), global_name: z.string().nullish() });
const Servers = z.array(z.object({ id: z.string(), owner: z.boolean(), permissions: z.string().regex(/^\d+$/u) }));
const Member = z.object({ roles: z.array(z.string()) });

export interface DiscordSignInOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The ids of the servers in which roles count. */
  readonly servers: readonly string[];
  readonly apiUrl: string;
  readonly clock: Clock;
}

/** The sign-in of users with Discord (OAuth 2.0 with a proof key). The token of the user is only used once, and not stored. */
export function discordSignIn({ clientId, clientSecret, servers, apiUrl, clock }: DiscordSignInOptions) {
  const page = new URL(`${apiUrl.replace(/\/api\/?$/u, '')}/oauth2/authorize`);

  return {
    begin(redirectUri: string) {
      const proof = newProof();
      const asked = proofKey(PLATFORM, proof).asked;
      page.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: SCOPES,
        prompt: 'none',
        ...asked,
      }).toString();
      return { url: page.href, kept: `${proof.state}.${proof.verifier}` };
    },

    async finish(
      answer: { readonly code: string; readonly state: string },
      { kept, redirectUri, signal }: { readonly kept: string; readonly redirectUri: string; readonly signal?: AbortSignal | undefined },
    ) {
      const [state = '', verifier = ''] = kept.split('.');
      const form = { redirect_uri: redirectUri, ...proofKey(PLATFORM, { state, verifier }).exchange(answer) };
      await using http = httpClient({ platform: PLATFORM, baseUrl: `${apiUrl}/v10`, clock, refusesInJson: true });
      const headers = { authorization: basicAuthorization(clientId, clientSecret) };
      const issued = (await http.request({ method: 'POST', path: '/oauth2/token', form, headers, signal })).json(Issued);
      return await readUser(http, { authorization: `Bearer ${issued.access_token}` }, { servers, signal });
    },
  };
}

async function readUser(
  http: HttpClient,
  headers: Readonly<Record<string, string>>,
  { servers, signal }: { readonly servers: readonly string[]; readonly signal: AbortSignal | undefined },
) {
  const user = (await http.request({ path: '/users/@me', headers, signal })).json(User);
  const joined = (await http.request({ path: '/users/@me/guilds', headers, signal })).json(Servers);
  const memberships = [];
  for (const { id, owner, permissions } of joined.filter((server) => servers.includes(server.id))) {
    const member = await http.request({ path: `/users/@me/guilds/${id}/member`, headers, signal }).catch(isGone);
    if (!member) continue;
    const isAdministrator = owner || (BigInt(permissions) & ADMINISTRATOR) !== 0n;
    const canManageServer = (BigInt(permissions) & MANAGE_GUILD) !== 0n;
    memberships.push({ roles: member.json(Member).roles, isAdministrator, canManageServer });
  }
  return { id: user.id, name: user.global_name ?? user.username, memberships };
}

/** Whether the user left the server in between. */
function isGone(error: unknown): undefined {
  if (!isFault(error, 'missing')) throw error;
}
