import type { MiddlewareHandler } from 'hono';

/** Whether `host` is reached from this machine only. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Whether `host` stands for all addresses of this machine, which is no name to ask for. */
export function isEveryAddress(host: string): boolean {
  return ['0.0.0.0', '::', '[::]'].includes(host);
}

/**
 * Refuses requests under other names than those of the loopback and `allowed`, whatever address the server listens on:
 * a web page that points its own name at the server (DNS rebinding) could read the API otherwise.
 */
export function hostCheck(allowed: readonly string[]): MiddlewareHandler {
  const names = new Set(allowed.map(toHostname));
  return async (c, next) => {
    const { hostname } = new URL(c.req.url);
    if (isLoopback(hostname) || names.has(hostname)) return next();
    return c.text(
      'Fanfare does not answer under this host name. Ask for it as localhost, or add the name to FANFARE_ALLOWED_HOSTS and restart.\n',
      403,
    );
  };
}

/** A host name as addresses have it: `::1` is `[::1]` there. */
function toHostname(name: string): string {
  return (URL.parse(`http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}`)?.hostname ?? name).toLowerCase();
}
