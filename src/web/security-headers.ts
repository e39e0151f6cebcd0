import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/** The headers of every answer: scripts and styles only from this server, no frames, and no referrer for other servers. */
export function securityHeaders(): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      connectSrc: ["'self'"],
      // Thumbnails come from the platforms. This server forwards the thumbnails of the sandbox.
      imgSrc: ["'self'", 'https:', 'data:'],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
    // With `no-referrer`, browsers send `Origin: null` with a form, and the check of the origin refuses it.
    referrerPolicy: 'same-origin',
    xContentTypeOptions: 'nosniff',
    xFrameOptions: 'DENY',
    // The server uses plain HTTP, where browsers warn about these three headers.
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  });
}
