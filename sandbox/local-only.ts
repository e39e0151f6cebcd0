import type { MiddlewareHandler } from 'hono';

/** Whether a host name or an IP address is a loopback address. */
export function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/iu.test(host);
}

/** Whether `Host` is a loopback name. The check prevents DNS rebinding by a web page. */
export function hasLocalHost(host: string | undefined): boolean {
  return isLoopback(URL.parse(`http://${host ?? ''}`)?.hostname ?? '');
}

/** Whether a request comes from a local program or a local page. */
export function hasLocalOrigin(origin: string | undefined): boolean {
  return origin === undefined || isLoopback(URL.parse(origin)?.hostname ?? '');
}

/** Refuses requests with the host name of a foreign web page. */
export function localHostOnly(): MiddlewareHandler {
  return async (c, next) => {
    const { host } = new URL(c.req.url);
    return hasLocalHost(host) ? next() : c.json({ error: 'the sandbox is available only at 127.0.0.1 and localhost' }, 403);
  };
}

/** Refuses requests that a foreign web page can send: from another site, or as a form. */
export function localProgramsOnly(): MiddlewareHandler {
  return async (c, next) => {
    if (!hasLocalOrigin(c.req.header('origin'))) return c.json({ error: 'the control API rejects requests from other sites' }, 403);
    const isJson = /^application\/json(?:;|$)/iu.test(c.req.header('content-type')?.trim() ?? '');
    if (c.req.method === 'POST' && !isJson) return c.json({ error: 'set the header content-type: application/json' }, 415);
    return next();
  };
}
