import type { MiddlewareHandler } from 'hono';

/** Whether `host` is reached from this machine only. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

/**
 * Refuses what was not addressed to this machine by name, where the server listens on loopback:
 * a web page whose name was pointed at 127.0.0.1 (DNS rebinding) could read the API otherwise.
 */
export function hostCheck(boundTo: string): MiddlewareHandler {
  const everyName = !isLoopback(boundTo);
  return async (c, next) => {
    if (everyName || isLoopback(new URL(c.req.url).hostname)) return next();
    return c.text(
      'This server listens on this machine only: ask for it as localhost. A proxy in front of it has to send "Host: localhost".\n',
      403,
    );
  };
}
