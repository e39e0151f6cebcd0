import { Hono, type Context } from 'hono';
import { html } from '../page/inline/html.ts';
import type { Access, BegunSession } from '#src/admin/access/access.ts';
import type { DiscordSignIn } from '#src/admin/access/discord-sign-in.ts';
import { PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { languageOf } from '#src/web/reader-language.ts';
import { ACCESS_TEXTS, type AccessTexts } from '#src/web/page/access-texts.ts';
import { messagePage } from '#src/web/page/document.ts';
import type { Client } from './client.ts';
import { secretCookie } from './cookies.ts';

const CALLBACK = '/sign-in/discord/callback';
/** How long a person may take on the page of Discord. */
const OPEN_MS = 10 * 60_000;

export interface DiscordPagesOptions {
  readonly discord: DiscordSignIn;
  readonly access: Access;
  readonly clientOf: (c: Context) => Client;
  readonly log: Log;
  /** Begins a new session in the browser. */
  readonly begin: (c: Context, session: BegunSession) => Promise<Response>;
}

/** The sign-in with Discord: the way to its page, and the way back. */
export function discordPages({ discord, access, clientOf, log, begin }: DiscordPagesOptions): Hono {
  /** The secrets of the sign-in that this browser began. No process keeps them, so another one may answer. */
  const attempts = secretCookie('fanfare-discord');
  const redirectUriOf = (c: Context): string => `${clientOf(c).isHttps ? 'https' : 'http'}://${new URL(c.req.url).host}${CALLBACK}`;

  function refuse(
    c: Context,
    status: 400 | 403 | 429 | 502,
    why: 'cancelled' | 'waitMinute' | 'noRole' | 'notAccepted' | 'noAnswer',
  ): Response | Promise<Response> {
    const language = languageOf(c);
    const t: AccessTexts = ACCESS_TEXTS[language];
    return c.html(
      messagePage({ title: t.notSignedIn, language, body: html`${t[why]}`, links: [{ href: '/sign-in', text: t.tryAgain }] }),
      status,
    );
  }

  return new Hono()
    .get('/sign-in/discord', (c) => {
      const { url, kept } = discord.begin(redirectUriOf(c));
      attempts.write(c, kept, { isHttps: clientOf(c).isHttps, lifetimeMs: OPEN_MS });
      return c.redirect(url, 303);
    })
    .get(CALLBACK, async (c) => {
      const { address, isHttps } = clientOf(c);
      const kept = attempts.read(c, isHttps);
      attempts.remove(c, isHttps);
      const { code = '', state = '' } = c.req.query();
      if (kept === undefined || code === '' || state === '') return refuse(c, 400, 'cancelled');
      if ((await access.takeAttempt(address)) !== undefined) return refuse(c, 429, 'waitMinute');
      try {
        const user = await discord.finish({ code, state }, { kept, redirectUri: redirectUriOf(c), signal: c.req.raw.signal });
        const outcome = await access.signInWithDiscord(user, { roles: discord.roles, address });
        if (!('refused' in outcome)) return await begin(c, outcome);
        log.warn({ address, user: user.id }, 'a sign-in with Discord was refused: the user has no role');
        return await refuse(c, 403, 'noRole');
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        log.warn({ error, address }, 'a sign-in with Discord failed');
        const isTheirs = error.fault === 'rejected' || error.fault === 'unauthorized';
        return refuse(c, isTheirs ? 400 : 502, isTheirs ? 'notAccepted' : 'noAnswer');
      }
    });
}
