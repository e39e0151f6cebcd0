import { Hono } from 'hono';
import type { PlatformFactory } from '#sandbox/context.ts';
import { sandboxPlatforms } from '#sandbox/platforms.ts';

/** A request to a platform of the sandbox. */
export interface DoneRequest {
  /** Such as `discord`. */
  readonly platform: string;
  readonly method: string;
  readonly path: string;
}

export interface ObservedPlatformsOptions {
  /** The observed platforms; absent: the platforms of the demo. */
  readonly platforms?: readonly PlatformFactory[] | undefined;
  /** Called before a request is served. The platform waits for it. */
  readonly onCome?: ((request: DoneRequest) => Promise<void> | void) | undefined;
  /** Called after a request is served and before the answer. The answer waits for it. */
  readonly onDone?: ((request: DoneRequest) => Promise<void> | void) | undefined;
  /** Called with the number of open requests after each change. */
  readonly onTraffic?: ((change: 1 | -1) => void) | undefined;
}

/** Platforms of the sandbox with hooks before and after each request. */
export function observedPlatforms({
  platforms = sandboxPlatforms,
  onCome,
  onDone,
  onTraffic,
}: ObservedPlatformsOptions): readonly PlatformFactory[] {
  return platforms.map((create): PlatformFactory => {
    return (context) => {
      const platform = create(context);

      function observe(routes: Hono): Hono {
        const observed = new Hono();
        observed.use(async (c, next) => {
          const request = { platform: platform.name, method: c.req.method, path: c.req.path };
          await onCome?.(request);
          onTraffic?.(1);
          try {
            await next();
          } finally {
            onTraffic?.(-1);
          }
          await onDone?.(request);
        });
        return observed.route('/', routes);
      }

      const aliases = Object.entries(platform.aliases ?? {}).map(([part, routes]) => [part, observe(routes)]);
      return { ...platform, routes: observe(platform.routes), aliases: Object.fromEntries(aliases) };
    };
  });
}
