import { Hono } from 'hono';
import type { PlatformFactory } from '#sandbox/context.ts';
import { sandboxPlatforms } from '#sandbox/platforms.ts';

/** A request to a platform of the sandbox. */
export interface DoneRequest {
  /** As `discord`. */
  readonly platform: string;
  readonly method: string;
  readonly path: string;
}

export interface ObservedPlatformsOptions {
  /** Those that tell; absent: all that the sandbox plays for a Fanfare without accounts. */
  readonly platforms?: readonly PlatformFactory[] | undefined;
  /** Called when a request has come, before anything is done: that waits for it. */
  readonly onCome?: ((request: DoneRequest) => Promise<void> | void) | undefined;
  /** Called when what was asked for is done, before the answer goes out: the answer waits for it. */
  readonly onDone?: ((request: DoneRequest) => Promise<void> | void) | undefined;
  /** Called with each change of the number of requests that are worked on. */
  readonly onTraffic?: ((change: 1 | -1) => void) | undefined;
}

/** Platforms of the sandbox, which tell of what is done on them. */
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
