import { Hono } from 'hono';
import type { PlatformFactory } from '#src/sandbox/context.ts';
import { sandboxPlatforms } from '#src/sandbox/platforms.ts';

/** A request that a platform of the sandbox has done what it asked for. */
export interface DoneRequest {
  /** As `discord`. */
  readonly platform: string;
  readonly method: string;
  readonly path: string;
}

export interface TellingOptions {
  /** Called when what was asked for is done, before the answer goes out: the answer waits for it. */
  readonly onDone?: ((request: DoneRequest) => Promise<void> | void) | undefined;
  /** Called with each change of the number of requests that are worked on. */
  readonly onTraffic?: ((change: 1 | -1) => void) | undefined;
}

/** The platforms of the sandbox, which tell of what is done on them. */
export function tellingPlatforms({ onDone, onTraffic }: TellingOptions): readonly PlatformFactory[] {
  return sandboxPlatforms.map((create): PlatformFactory => {
    return (context) => {
      const platform = create(context);
      const routes = new Hono();
      routes.use(async (c, next) => {
        onTraffic?.(1);
        try {
          await next();
        } finally {
          onTraffic?.(-1);
        }
        await onDone?.({ platform: platform.name, method: c.req.method, path: c.req.path });
      });
      return { ...platform, routes: routes.route('/', platform.routes) };
    };
  });
}
