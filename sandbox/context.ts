import type { Hono } from 'hono';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '#src/clock.ts';
import type { Faults } from './faults.ts';
import type { Journal } from './journal.ts';
import type { World } from './world/world.ts';

/** What every server of the sandbox works with. */
export interface SandboxContext {
  readonly world: World;
  readonly clock: Clock;
  readonly faults: Faults;
  /** What was written to the sandbox; survives a restart where the sandbox has a file. */
  readonly journal: Journal;
  /** Whether people react by themselves to what is written through the APIs. */
  readonly lively: boolean;
  /** The address of the whole sandbox, as `http://127.0.0.1:8081`; known once it listens. */
  readonly url: () => string;
}

/** Makes one platform's server. */
export type PlatformFactory = (context: SandboxContext) => PlatformServer;

/** One platform's server: its routes below `/<name>`. */
export interface PlatformServer {
  /** As `discord`: the first part of the path. */
  readonly name: string;
  readonly routes: Hono;
  /** Routes outside `/<name>` where clients insist on them, by the first part of their path. */
  readonly aliases?: Readonly<Record<string, Hono>> | undefined;
  /** Routes for `/control` that tell or order what is this platform's. */
  readonly control?: Hono | undefined;
  /** How the platform says no; absent: a status and a short JSON. */
  refuse?(status: number, retryAfterMs?: number): Response;
  /** Takes over a WebSocket below `/<name>`. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close?(): Promise<void>;
  /** Whether only who asks for it is pointed at it: it plays no part in a Fanfare without accounts. */
  readonly isOnRequest?: boolean | undefined;
  /** The environment variables that point Fanfare at it. */
  environment(): Readonly<Record<string, string>>;
}
