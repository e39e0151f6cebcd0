import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { answerProblem, isForPrograms, Problem } from './problem.ts';

/** Whether only this machine can reach `host`. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Whether `host` stands for all addresses of this machine. Browsers cannot use such a host as a name. */
export function isEveryAddress(host: string): boolean {
  return ['0.0.0.0', '::', '[::]'].includes(host);
}

/** Whether the host of a URL is a loopback name or in `allowed`. */
export type IsAllowed = (url: string) => boolean;

export function allowedHosts(allowed: readonly string[]): IsAllowed {
  const names = new Set(allowed.map(toHostname));
  return (url) => {
    const { hostname } = new URL(url);
    return isLoopback(hostname) || names.has(hostname);
  };
}

const NOT_ALLOWED = new Problem({
  status: 403,
  code: 'hostNotAllowed',
  detail: 'This host name is not allowed. Open Fanfare at localhost, or add the name to FANFARE_ALLOWED_HOSTS and restart.',
});

/**
 * Rejects requests with other hosts, on every listening address. Without this check, a web page could point its own host name at the server
 * and read the API (DNS rebinding).
 */
export function hostCheck(isAllowed: IsAllowed): MiddlewareHandler {
  return async (c, next) => {
    if (isAllowed(c.req.url)) return next();
    if (isForPrograms(c)) return answerProblem(c, NOT_ALLOWED);
    return c.text(`${NOT_ALLOWED.message}\n`, 403);
  };
}

/**
 * Rejects what a browser sends for a page of another origin: writes, and reads that no person opened, for example as a picture. Such a page
 * sees no answer, but the reads of platforms would use up what rules need.
 */
export const originCheck: MiddlewareHandler = async (c, next) => {
  if (isWrite(c) ? isFromOtherOrigin(c) : isEmbeddedElsewhere(c))
    throw c.req.header('sec-fetch-site') === 'same-origin' ? HOST_CHANGED : CROSS_SITE;
  return next();
};

const CROSS_SITE = new Problem({ status: 403, code: 'crossSite', detail: 'This request comes from another website.' });

/** The browser says that the page has the address of the request, but the address differs here. */
const HOST_CHANGED = new Problem({
  status: 403,
  code: 'hostChanged',
  detail: 'A proxy changed the host of this request. It must pass the header Host as the browser sends it, with the port.',
});

/** Whether a request may change something. */
export function isWrite({ req }: Context): boolean {
  return req.method !== 'GET' && req.method !== 'HEAD';
}

/** Whether a page of another origin embeds the answer. A link to a page opens a document. */
function isEmbeddedElsewhere(c: Context): boolean {
  return isOfOtherSite(c) && (c.req.header('sec-fetch-dest') ?? 'document') !== 'document';
}

function isOfOtherSite({ req }: Context): boolean {
  const site = req.header('sec-fetch-site');
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

function isFromOtherOrigin(c: Context): boolean {
  if (isOfOtherSite(c)) return true;
  const { req } = c;
  const origin = req.header('origin');
  // A proxy may end HTTPS, so only the host and the port are compared.
  return origin !== undefined && URL.parse(origin)?.host !== new URL(req.url).host;
}

/**
 * Whether a request was made on this machine, without a proxy. Browsers name the host that a person opened, and use no HTTP/1.0, which nginx
 * before 1.29.7 uses by default. Its default headers do not show that it is a proxy, but a browser behind it says that its page has another host.
 */
export function isLocal({ req, env }: Context): boolean {
  const { incoming } = (env ?? {}) as Partial<HttpBindings>; // the server for Node sets it
  const page = req.header('sec-fetch-site') === 'same-origin' ? URL.parse(req.header('referer') ?? '') : null;
  const isForwarded =
    incoming?.httpVersion === '1.0' ||
    FORWARDED.some((name) => req.header(name) !== undefined) ||
    (page !== null && !isLoopback(page.hostname));
  return isLoopback(new URL(req.url).hostname) && !isForwarded;
}

const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** The access to a server on the loopback: everyone on this machine is an admin. A write needs a header that no foreign form can send. */
export const localAccess: MiddlewareHandler = async (c, next) => {
  if (isWrite(c) && !isJson(c)) throw NO_JSON;
  // Browsers say that a script of the page sent the request; scripts cannot set this header.
  const isPage = !c.req.path.startsWith('/api/') || c.req.header('sec-fetch-site') === 'same-origin';
  c.set('actor', { name: 'local', via: isPage ? 'page' : 'api', role: 'admin' });
  return next();
};

/** Whether a request says that its body is JSON. */
export function isJson({ req }: Context): boolean {
  return /^application\/json\s*(?:;|$)/iu.test(req.header('content-type') ?? '');
}

/** The answer to a write without JSON. */
export const NO_JSON = new Problem({
  status: 415,
  code: 'unsupportedMediaType',
  detail: 'A request that changes something needs the header Content-Type: application/json. The body of a request without values is {}.',
});

/** The URL of a server for programs on this machine. */
export function localUrl({ host, port }: { readonly host: string; readonly port: number | undefined }): string {
  return `http://${bracketed(isEveryAddress(host) ? '127.0.0.1' : host)}:${port}`;
}

/** An IPv6 address as URLs contain it. */
function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** A host name in the form that URLs use: `::1` becomes `[::1]`. */
function toHostname(name: string): string {
  return (URL.parse(`http://${bracketed(name)}`)?.hostname ?? name).toLowerCase();
}
