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

/**
 * Rejects requests whose host is neither a loopback name nor in `allowed`, on every listening address. Without this check, a web page could
 * point its own host name at the server and read the API (DNS rebinding).
 */
export function hostCheck(allowed: readonly string[]): MiddlewareHandler {
  const names = new Set(allowed.map(toHostname));
  return async (c, next) => {
    const { hostname } = new URL(c.req.url);
    if (isLoopback(hostname) || names.has(hostname)) return next();
    return c.text('This host name is not allowed. Open Fanfare at localhost, or add the name to FANFARE_ALLOWED_HOSTS and restart.\n', 403);
  };
}

/** A host name in the form that URLs use: `::1` becomes `[::1]`. */
function toHostname(name: string): string {
  return (URL.parse(`http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}`)?.hostname ?? name).toLowerCase();
}
