import type { Hono } from 'hono';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '#src/clock.ts';
import type { Faults } from './faults.ts';
import type { Journal } from './journal.ts';
import type { World } from './world/world.ts';

/** The shared state of all servers of the sandbox. */
export interface SandboxContext {
  readonly world: World;
  readonly clock: Clock;
  readonly faults: Faults;
  /** Everything that was written to the sandbox. It survives a restart if the sandbox has a file. */
  readonly journal: Journal;
  /** Whether people react to posts from the APIs. */
  readonly lively: boolean;
  /** The URL of the sandbox, such as `http://127.0.0.1:8081`. It is known after the server listens. */
  readonly url: () => string;
}

/** Creates the server of a platform. */
export type PlatformFactory = (context: SandboxContext) => PlatformServer;

/** The server of a platform, with routes below `/<name>`. */
export interface PlatformServer {
  /** The first part of the path, such as `discord`. */
  readonly name: string;
  readonly routes: Hono;
  /** Routes outside `/<name>` for clients without a configurable path, by the first part of the path. */
  readonly aliases?: Readonly<Record<string, Hono>> | undefined;
  /** Routes of the platform below `/control`. */
  readonly control?: Hono | undefined;
  /** An error answer in the format of the platform; absent: a short JSON. */
  refuse?(status: number, retryAfterMs?: number): Response;
  /** Accepts a WebSocket below `/<name>`. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close?(): Promise<void>;
  /** Whether the platform runs only on request and not in the demo. */
  readonly isOnRequest?: boolean | undefined;
  /** The environment variables that point Fanfare at it. */
  environment(): Readonly<Record<string, string>>;
}
