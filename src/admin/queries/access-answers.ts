import { z } from 'zod';
import { TOKEN_SCOPES } from '../actions/people.ts';
import { ROLES } from '../actions/actor.ts';

const instant = (about: string) => z.date().describe(about);

/** A person who may sign in. */
export const PersonAnswer = z
  .object({
    id: z.string().describe('The id: `password:` and the name in lower case, or `discord:` and the id of the user.'),
    name: z.string().describe('The name.'),
    kind: z.enum(['discord', 'password']).describe('How the person signs in.'),
    role: z.enum(ROLES).describe('The rights of the person.'),
  })
  .meta({ examples: [{ id: 'password:ada', name: 'Ada', kind: 'password', role: 'admin' }] });

/** A token, without its text. */
export const TokenAnswer = z
  .object({
    id: z.string().describe('The id.'),
    name: z.string().describe('What uses the token.'),
    scope: z.enum(TOKEN_SCOPES).describe('The rights: `metrics` reads `/metrics`, `read`, `write` and `admin` are those of the roles.'),
    by: z.string().describe('The person who created it.'),
    createdAt: instant('When it was created.'),
    expiresAt: instant('When it expires; absent: never.').optional(),
    lastUsedAt: instant('The last use, to the minute; absent: it was never used.').optional(),
    revokedAt: instant('When it was revoked.').optional(),
  })
  .meta({ examples: [{ id: '3f2a81c0', name: 'ci', scope: 'write', by: 'ada', createdAt: '2026-11-20T18:00:00.000Z' }] });

/** A new token. */
export const NewTokenAnswer = z
  .object({ token: TokenAnswer.describe('The token.'), text: z.string().describe('The text that requests send. It is not shown again.') })
  .meta({
    examples: [
      { token: { id: '3f2a81c0', name: 'ci', scope: 'write', by: 'ada', createdAt: '2026-11-20T18:00:00.000Z' }, text: 'fanfare_…' },
    ],
  });

/** An account that can sign in. */
export const AccountAnswer = z
  .object({
    account: z.string().describe('The name of the account in rules.'),
    platform: z.string().describe('The platform.'),
    method: z
      .enum(['credentials', 'password', 'browser'])
      .describe('How it signs in: with credentials of the configuration, with an app password, or in a browser.'),
    channel: z.boolean().optional().describe('Whether it can also sign in to a channel, with a code.'),
    signingIn: z.boolean().optional().describe('Whether a sign-in to its channel waits for a person.'),
  })
  .meta({ examples: [{ account: 'mastodon', platform: 'mastodon', method: 'browser' }] });

const scopes = z
  .array(z.object({ name: z.string().describe('The permission, as the platform names it.'), why: z.string().describe('Its use.') }))
  .readonly();

/** A sign-in, or its first half. */
export const SignInAnswer = z
  .object({
    who: z.string().optional().describe('Who is signed in; absent if a person confirms the sign-in in a browser.'),
    url: z.string().optional().describe('The page on which a person confirms the sign-in, within 10 minutes or before the code expires.'),
    code: z.string().optional().describe('What the person enters on the page: for a sign-in to a channel.'),
    expiresAt: z.date().optional().describe('When the code expires.'),
    redirectUri: z.string().optional().describe('The callback URL. The platform redirects the browser to it.'),
    scopes: scopes.optional().describe('The requested permissions.'),
  })
  .meta({
    examples: [
      {
        url: 'https://mastodon.social/oauth/authorize?client_id=…',
        redirectUri: 'http://127.0.0.1:8082/callback',
        scopes: [{ name: 'read', why: 'to read posts' }],
      },
    ],
  });

export const ChannelSignInAnswer = z
  .object({
    state: z.enum(['waiting', 'expired', 'done', 'failed']).describe('Whether it waits for the person, or how it ended.'),
    url: z.string().describe('The page on which a person enters the code.'),
    code: z.string().describe('The code.'),
    expiresAt: z.date().describe('When the code expires.'),
    scopes: scopes.describe('The requested permissions.'),
    who: z.string().optional().describe('The channel that is signed in.'),
    missing: scopes.optional().describe('The requested permissions that were not granted.'),
    problem: z.string().optional().describe('Why it failed.'),
  })
  .meta({
    examples: [
      {
        state: 'waiting',
        url: 'https://www.twitch.tv/activate?device-code=ABCDEFGH',
        code: 'ABCDEFGH',
        expiresAt: new Date('2026-11-21T10:30:00Z'),
        scopes: [{ name: 'moderator:read:followers', why: 'to read followers' }],
      },
    ],
  });

export const ConfirmedSignInAnswer = z
  .object({
    who: z.string().optional().describe('Who is signed in.'),
    problem: z.string().optional().describe('Why the stored sign-in could not be tried.'),
    missing: scopes.describe('The requested permissions that were not granted.'),
  })
  .meta({ examples: [{ who: 'signed in as @fanfare', missing: [] }] });

/** Who sends the requests. */
export const SessionAnswer = z
  .object({
    name: z.string().describe('The name of the person or of the token; `local` on the loopback.'),
    id: z.string().optional().describe('The id of the person or of the token.'),
    role: z.enum(ROLES).describe('The rights of the person or the token.'),
    signedInWith: z.enum(['loopback', 'password', 'discord', 'token']).describe('Why the requests are accepted.'),
    csrfToken: z.string().optional().describe('What writes of this session send as `X-CSRF-Token`; absent for tokens and on the loopback.'),
  })
  .meta({ examples: [{ name: 'Ada', id: 'password:ada', role: 'admin', signedInWith: 'password', csrfToken: 'yV8…' }] });
