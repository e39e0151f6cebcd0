import type { MiddlewareHandler } from 'hono';

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

/**
 * Rejects requests with other hosts, on every listening address. Without this check, a web page could point its own host name at the server
 * and read the API (DNS rebinding).
 */
export function hostCheck(isAllowed: IsAllowed): MiddlewareHandler {
  return async (c, next) => {
    if (isAllowed(c.req.url)) return next();
    return c.text('This host name is not allowed. Open Fanfare at localhost, or add the name to FANFARE_ALLOWED_HOSTS and restart.\n', 403);
  };
}

/** A host name in the form that URLs use: `::1` becomes `[::1]`. */
function toHostname(name: string): string {
  return (URL.parse(`http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}`)?.hostname ?? name).toLowerCase();
}
