import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { actorOfPerson, actorOfToken, type Access, type BegunSession, type SignInOutcome } from '#src/admin/access/access.ts';
import type { Person } from '#src/admin/actions/people.ts';
import type { DiscordSignIn } from '#src/admin/access/discord-sign-in.ts';
import { hashOf, isSame, newSecret } from '#src/admin/access/secret.ts';
import { Refused } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { isWrite } from '#src/web/host-check.ts';
import { clientsBehind } from './client.ts';
import { discordPages } from './discord-pages.ts';
import { secretCookie } from './cookies.ts';
import { languageOf } from '#src/web/reader-language.ts';
import { problemText } from '#src/web/views/texts/problems.ts';
import { ACCESS_TEXTS } from '#src/web/page/access-texts.ts';
import { firstRunPage, signInPage } from './sign-in-page.ts';

const LARGEST_FORM_BYTES = 16 * 1024;
/** How long a sign-in may take that leads back to an address. */
const RETURN_MS = 15 * 60_000;
const FORM = 'application/x-www-form-urlencoded';

export interface RemoteAccessOptions {
  readonly access: Access;
  readonly trustedProxies: readonly string[];
  /** Absent: people sign in with passwords only. */
  readonly discord?: DiscordSignIn | undefined;
  readonly log: Log;
}

/** The access from other machines: the pages of the sign-in, and the check of all other routes. */
export interface RemoteAccess {
  readonly pages: Hono;
  /** Requires a session or a token, and sets the actor. */
  readonly check: MiddlewareHandler;
}

/** Creates the sign-in of the server. */
export function remoteAccess({ access, trustedProxies, discord, log }: RemoteAccessOptions): RemoteAccess {
  const clientOf = clientsBehind(trustedProxies);
  const sessions = secretCookie('fanfare');
  /** Ties a form of the sign-in to its browser. */
  const forms = secretCookie('fanfare-form');

  /** The address that was opened before the sign-in. */
  const opened = secretCookie('fanfare-opened');

  async function sessionOf(c: Context): Promise<{ readonly person: Person; readonly secret: string } | undefined> {
    const secret = sessions.read(c, clientOf(c).isHttps);
    const person = secret === undefined ? undefined : await access.personOf(secret);
    return secret === undefined || person === undefined ? undefined : { person, secret };
  }

  /** The token of a form before the sign-in. */
  function newFormToken(c: Context): string {
    const { isHttps } = clientOf(c);
    const secret = forms.read(c, isHttps) ?? newSecret();
    forms.write(c, secret, { isHttps });
    return hashOf(secret, 'form');
  }

  /** The fields of a form. */
  async function readFields(c: Context): Promise<(field: string) => string> {
    if (c.req.header('content-type')?.split(';')[0] !== FORM) throw refusal(415, 'This is not a form of Fanfare.');
    const body = await c.req.parseBody();
    return (name) => (typeof body[name] === 'string' ? body[name] : '');
  }

  /** The fields of a form. Throws if the form is from another page. */
  async function readForm(c: Context, secret: string | undefined): Promise<(field: string) => string> {
    const field = await readFields(c);
    if (secret === undefined || !isSame(field('csrf'), hashOf(secret, 'form')))
      throw refusal(403, 'The form has expired. Go back, reload the page, and try again.');
    return field;
  }

  /** Begins a new session in the browser, and ends the one before. */
  async function begin(c: Context, { secret, lifetimeMs }: BegunSession): Promise<Response> {
    const { isHttps } = clientOf(c);
    const before = sessions.read(c, isHttps);
    if (before !== undefined) await access.signOut(before);
    sessions.write(c, secret, { isHttps, lifetimeMs });
    forms.remove(c, isHttps);
    const address = opened.read(c, isHttps) ?? '/';
    opened.remove(c, isHttps);
    return c.redirect(isOwnPath(address) ? address : '/', 303);
  }

  /** Answers an attempt to sign in. */
  async function answer(
    c: Context,
    outcome: SignInOutcome,
    pageWith: (problem: string, isWrong: boolean) => Response | Promise<Response>,
  ): Promise<Response> {
    if (!('refused' in outcome)) return begin(c, outcome);
    log.warn({ address: clientOf(c).address, reason: outcome.refused }, 'a sign-in was refused');
    if (outcome.refused === 'wrong') {
      c.status(401);
      return pageWith(ACCESS_TEXTS[languageOf(c)].wrong, true);
    }
    const seconds = Math.ceil(outcome.waitMs / 1000);
    c.status(429);
    c.header('Retry-After', String(seconds));
    return pageWith(ACCESS_TEXTS[languageOf(c)].tooMany(seconds), false);
  }

  const pages = new Hono();
  const limit = bodyLimit({ maxSize: LARGEST_FORM_BYTES, onError: () => Promise.reject(refusal(413, 'The form is too large.')) });
  pages.use('/sign-in/*', limit);
  pages.use('/sign-out', limit);

  pages.get('/sign-in', async (c) => {
    if (await sessionOf(c)) return c.redirect('/', 303);
    return c.html(signInPage({ language: languageOf(c), formToken: newFormToken(c), hasDiscord: discord !== undefined }));
  });

  pages.post('/sign-in', async (c) => {
    const { address, isHttps } = clientOf(c);
    const field = await readForm(c, forms.read(c, isHttps));
    const name = field('name');
    const outcome = await access.signIn({ name, password: field('password'), address });
    return answer(c, outcome, (problem, isWrong) =>
      c.html(
        signInPage({ language: languageOf(c), formToken: newFormToken(c), problem, name, isWrong, hasDiscord: discord !== undefined }),
      ),
    );
  });

  pages.get('/sign-in/first-run', (c) => c.html(firstRunPage({ language: languageOf(c), formToken: newFormToken(c) })));

  pages.post('/sign-in/first-run', async (c) => {
    const { address, isHttps } = clientOf(c);
    const field = await readForm(c, forms.read(c, isHttps));
    const name = field('name');
    const pageWith = (problem: string, wrong?: 'token' | 'name' | 'password') =>
      c.html(firstRunPage({ language: languageOf(c), formToken: newFormToken(c), problem, name, token: field('token'), wrong }));
    try {
      const outcome = await access.claimFirstRun({ text: field('token'), name, password: field('password'), address });
      return await answer(c, outcome, (problem, isWrong) =>
        isWrong ? pageWith(ACCESS_TEXTS[languageOf(c)].wrongToken, 'token') : pageWith(problem),
      );
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      c.status(400);
      const { text } = problemText({ code: error.code, detail: error.message }, languageOf(c));
      return pageWith(text, error.code.startsWith('password') ? 'password' : 'name');
    }
  });

  if (discord) pages.route('/', discordPages({ discord, access, clientOf, begin, log }));

  pages.post('/sign-out', async (c) => {
    const { address, isHttps } = clientOf(c);
    const session = await sessionOf(c);
    // Another tab can have ended the session.
    const field = session ? await readForm(c, session.secret) : await readFields(c);
    if (session) {
      if (field('everywhere') === 'yes') await access.signOutEverywhere(session.person, address);
      else await access.signOut(session.secret);
    }
    sessions.remove(c, isHttps);
    return c.redirect('/sign-in', 303);
  });

  return {
    pages,
    async check(c, next) {
      const { address } = clientOf(c);
      const [, bearer] = /^Bearer +(\S+)$/iu.exec(c.req.header('authorization') ?? '') ?? [];
      if (bearer !== undefined) {
        const token = await access.useToken(bearer);
        if (!token)
          throw refusal(401, 'The token is not valid: it is unknown, expired or revoked.', {
            'WWW-Authenticate': 'Bearer error="invalid_token"',
          });
        const actor = actorOfToken(token, address);
        if (actor) c.set('actor', actor);
        else if (c.req.path !== '/metrics') throw refusal(403, 'This token only reads the metrics.');
        return next();
      }
      const session = await sessionOf(c);
      if (!session) {
        if (c.req.method === 'GET' && isPage(c)) {
          const { pathname, search } = new URL(c.req.url);
          opened.write(c, pathname + search, { isHttps: clientOf(c).isHttps, lifetimeMs: RETURN_MS });
          return c.redirect('/sign-in', 303);
        }
        throw refusal(401, 'Sign in, or send a token: Authorization: Bearer <token>.', { 'WWW-Authenticate': 'Bearer' });
      }
      const formToken = hashOf(session.secret, 'form');
      if (isWrite(c) && !isSame(c.req.header('x-csrf-token') ?? '', formToken))
        throw refusal(403, 'The header X-CSRF-Token is missing or wrong. Reload the page.');
      c.set('actor', actorOfPerson(session.person, address));
      c.set('formToken', formToken);
      return next();
    },
  };
}

/** Whether an address is a path of this server: browsers read two slashes as the name of another one. */
function isOwnPath(address: string): boolean {
  return (
    /^\/(?![/\\])/u.test(address) &&
    URL.canParse(address, 'http://own.invalid') &&
    new URL(address, 'http://own.invalid').host === 'own.invalid'
  );
}

/** Whether a browser opens a page. */
function isPage({ req }: Context): boolean {
  return !/^\/(?:api|fragments)\/|^\/metrics$/u.test(req.path) && (req.header('accept') ?? '').includes('text/html');
}

function refusal(status: 401 | 403 | 413 | 415, message: string, headers: Readonly<Record<string, string>> = {}): HTTPException {
  return new HTTPException(status, { message, res: new Response(null, { status, headers }) });
}
