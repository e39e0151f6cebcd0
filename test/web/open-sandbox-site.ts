import { onTestFinished } from 'vitest';
import { discordServer } from '#sandbox/discord/discord.ts';
import { feedServer } from '#sandbox/feeds/server.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '#sandbox/server.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import { openStore } from '#src/store/store.ts';
import type { Operations } from '#src/web/api/operations.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { noOperations } from '../support/operations.ts';

/** A sandbox, and what a server on it needs. */
export interface SandboxSite {
  readonly sandbox: Sandbox;
  readonly sandboxOrigin: string;
  readonly operations: Operations;
}

/** Starts a sandbox until the end of the test. */
export async function openSandboxSite({ isClockShared = true }: Pick<SandboxOptions, 'isClockShared'> = {}): Promise<SandboxSite> {
  const platforms = [twitchServer, discordServer, feedServer];
  const sandbox = await startSandbox({ platforms, clock: new ManualClock(), isClockShared });
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  const { repeatedRequests } = await openStore();
  return { sandbox, sandboxOrigin: sandbox.url, operations: { ...noOperations, repeatedRequests } };
}
