import type { MiddlewareHandler } from 'hono';

/** Whether a host name or an IP address is this machine's loopback. */
export function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/iu.test(host);
}

/** Whether a request names this machine in `Host`: a web page cannot point its own name at the sandbox (DNS rebinding). */
export function hasLocalHost(host: string | undefined): boolean {
  return isLoopback(URL.parse(`http://${host ?? ''}`)?.hostname ?? '');
}

/** Whether a request comes from a program or from a page of this machine. */
export function hasLocalOrigin(origin: string | undefined): boolean {
  return origin === undefined || isLoopback(URL.parse(origin)?.hostname ?? '');
}

/** Refuses requests that a web page could send: with another host name, from another site, or as a form. */
export function localProgramsOnly(): MiddlewareHandler {
  return async (c, next) => {
    const { host } = new URL(c.req.url);
    if (!hasLocalHost(host)) return c.json({ error: 'the control API answers as 127.0.0.1 or localhost only' }, 403);
    if (!hasLocalOrigin(c.req.header('origin'))) return c.json({ error: 'the control API takes no requests from other sites' }, 403);
    const isJson = /^application\/json(?:;|$)/iu.test(c.req.header('content-type')?.trim() ?? '');
    if (c.req.method === 'POST' && !isJson) return c.json({ error: 'send the order with the header content-type: application/json' }, 415);
    return next();
  };
}
