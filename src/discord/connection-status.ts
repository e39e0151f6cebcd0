import type { ConnectionState } from './gateway/connection-state.ts';

/** The state of the connection of the bot, as pages and commands show it. */
export interface ConnectionStatus {
  readonly state: 'absent' | ConnectionState['kind'];
  /** What is wrong, and how to fix it. */
  readonly problem?: string | undefined;
  /** When the connection was lost; absent unless it is being restored. */
  readonly lostAtMs?: number | undefined;
}

/** A status that changes. It exists before the connection. */
export interface CurrentStatus extends ConnectionStatus {
  readonly become: (now: ConnectionStatus) => void;
}

/** The status of a bot that is not connected yet. Calls `onChange` after each change. */
export function createConnectionStatus(onChange: () => void): CurrentStatus {
  let status: ConnectionStatus = { state: 'absent' };
  return {
    get state() {
      return status.state;
    },
    get problem() {
      return status.problem;
    },
    get lostAtMs() {
      return status.lostAtMs;
    },
    become(now) {
      status = now;
      onChange();
    },
  };
}
