import { createAccountHealth } from '#src/admin/queries/accounts.ts';
import { secretsOf } from '#src/config/accounts.ts';
import { openConfig } from '#src/config/open-config.ts';
import { newWorkerId, workerLog } from '#src/config/worker-id.ts';
import { createConnectionStatus } from '#src/discord/connection-status.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { createObservers } from '#src/engine/observers.ts';
import { checkWrittenKey } from '#src/http/secrets/key.ts';
import { createLog } from '#src/log.ts';
import { createCoverage } from '#src/engine/coverage.ts';
import { dutiesOf, type Role } from './roles.ts';

export interface AppOptions {
  /** The role of this process; `all` by default. */
  readonly role?: Role | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives each log line. */
  readonly write: (line: string) => void;
  readonly color: boolean;
  /** Whether the process runs nothing else. Then the app sets the memory flags of the process. */
  readonly dedicatedProcess?: boolean | undefined;
  /** Ends the start: no further part starts, and `startApp` rejects. */
  readonly signal?: AbortSignal | undefined;
}

/** What all parts use. */
export function settings({ environment, write, color, role = 'all', dedicatedProcess = false, signal: ending }: AppOptions) {
  const configured = openConfig(environment);
  if (configured.key !== undefined) checkWrittenKey(configured.key);
  const worker = configured.worker ?? newWorkerId();
  const log = createLog({ level: configured.logLevel, secrets: secretsOf(configured), write, color });
  const stopping = new AbortController();
  ending?.addEventListener('abort', () => stopping.abort());
  const eventBus = createEventBus();
  const restart = Promise.withResolvers<void>();
  // The caller waits for it after the start only.
  restart.promise.catch(() => undefined);
  return {
    environment,
    configured,
    role,
    dedicatedProcess,
    duties: dutiesOf(role, configured),
    worker,
    log: workerLog(log, worker, environment),
    stopping,
    signal: stopping.signal,
    eventBus,
    observers: createObservers(),
    health: createAccountHealth(eventBus.changing('accounts')),
    status: createConnectionStatus(eventBus.changing('accounts')),
    coverage: createCoverage(),
    restart,
  };
}
