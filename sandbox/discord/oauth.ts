import { Hono } from 'hono';
import { html } from 'hono/html';
import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { permissionPage } from '../permission-page.ts';
import { toMember, toUser } from './guild/wire.ts';
import type { Guild } from './guild/guild.ts';
import type { Member } from './guild/members.ts';
import { ALL_PERMISSIONS, permissionsIn } from './guild/permissions.ts';
import { EVERYONE_PERMISSIONS } from './guild/roles.ts';
import { APPLICATION_ID, CLIENT_SECRET } from './identity.ts';
import type { Discord } from './parts.ts';
import { Refusal, refusals } from './refusal.ts';

const Authorization = z.object({
  client_id: z.literal(APPLICATION_ID),
  response_type: z.literal('code'),
  redirect_uri: z.url(),
  scope: z.string(),
  state: z.string().min(1),
  code_challenge: z.string().min(43),
  code_challenge_method: z.literal('S256'),
  /** Only in the sandbox: the handle of the member who confirms. */
  as: z.string().optional(),
});

const Exchange = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string(),
  redirect_uri: z.string(),
  code_verifier: z.string(),
});

interface Grant {
  readonly userId: string;
  readonly scope: string;
}

/** OAuth 2.0 with a proof key: the page on which a member confirms, the tokens, and what users read with them. */
export function oauthRoutes({ guilds }: Discord): Hono {
  const codes = new Map<string, Grant & { readonly redirectUri: string; readonly challenge: string }>();
  const tokens = new Map<string, Grant>();

  /** The user of a token with a scope; undefined: the request has no token of a user. */
  function userOf(authorization: string | undefined, scope: string): Member | undefined {
    if (authorization === undefined || !authorization.startsWith('Bearer ')) return undefined;
    const grant = tokens.get(authorization.slice('Bearer '.length));
    const user = grant?.scope.split(' ').includes(scope) === true ? guilds.findUser(grant.userId) : undefined;
    if (!user) throw refusals.unauthorized();
    return user;
  }

  return new Hono()
    .get('/oauth2/authorize', (c) => {
      const parsed = Authorization.safeParse(c.req.query());
      if (!parsed.success) return c.text(`${z.prettifyError(parsed.error)}\n`, 400);
      const { redirect_uri: redirectUri, scope, state, code_challenge: challenge, as } = parsed.data;
      if (as === undefined) {
        const people = guilds.all.flatMap(({ members }) => members.all().filter(({ bot }) => !bot));
        const query = (member: Member) => new URLSearchParams({ ...c.req.query(), as: member.username }).toString();
        return c.html(
          permissionPage({
            title: 'Authorize',
            heading: 'Who signs in?',
            body: html`<ul>
              ${people.map((member) => html`<li><a href="?${query(member)}">${member.displayName}</a></li>`)}
            </ul>`,
          }),
        );
      }
      const member = guilds.all.flatMap(({ members }) => members.findNamed(as) ?? [])[0];
      if (!member) return c.text(`There is no member ${as}.\n`, 400);
      const code = randomUUID();
      codes.set(code, { userId: member.userId, scope, redirectUri, challenge });
      const back = new URL(redirectUri);
      back.search = new URLSearchParams({ code, state }).toString();
      return c.redirect(back.href);
    })
    .post('/api/v10/oauth2/token', async (c) => {
      if (c.req.header('authorization') !== `Basic ${btoa(`${APPLICATION_ID}:${CLIENT_SECRET}`)}`)
        return c.json({ error: 'invalid_client' }, 401);
      const form = Exchange.safeParse(await c.req.parseBody());
      const granted = form.success ? codes.get(form.data.code) : undefined;
      if (!form.success || !granted) return c.json({ error: 'invalid_grant' }, 400);
      codes.delete(form.data.code);
      const challenge = createHash('sha256').update(form.data.code_verifier).digest('base64url');
      if (granted.redirectUri !== form.data.redirect_uri || granted.challenge !== challenge) return c.json({ error: 'invalid_grant' }, 400);
      const token = randomUUID();
      tokens.set(token, granted);
      return c.json({ access_token: token, token_type: 'Bearer', expires_in: 604_800, refresh_token: randomUUID(), scope: granted.scope });
    })
    .get('/api/v10/users/@me', async (c, next) => {
      const user = userOf(c.req.header('authorization'), 'identify');
      return user ? c.json(toUser(user)) : next();
    })
    .get('/api/v10/users/@me/guilds', async (c, next) => {
      const user = userOf(c.req.header('authorization'), 'guilds');
      if (!user) return next();
      const joined = guilds.all.flatMap((guild) => {
        const member = guild.members.find(user.userId);
        return member ? [{ id: guild.id, name: guild.name, owner: member.owner, permissions: String(permissionsOf(member, guild)) }] : [];
      });
      return c.json(joined);
    })
    .get('/api/v10/users/@me/guilds/:guild/member', (c) => {
      const user = userOf(c.req.header('authorization'), 'guilds.members.read');
      if (!user) throw refusals.unauthorized();
      const member = guilds.find(c.req.param('guild'))?.members.find(user.userId);
      if (!member) throw refusals.unknownGuild();
      return c.json(toMember(member));
    })
    .onError((error) => {
      if (error instanceof Refusal) return error.toResponse();
      throw error;
    });
}

function permissionsOf({ userId, owner, roleIds }: Member, { id, roles }: Guild): bigint {
  const own = roles.filter((role) => roleIds.includes(role.id));
  return owner ? ALL_PERMISSIONS : permissionsIn({ guildId: id, userId, owner, roles: own, everyone: EVERYONE_PERMISSIONS }, []);
}
