import type { DiscordStatus } from '#src/admin/queries/records.ts';

/** A status that changes. It exists before the connection. */
export interface CurrentStatus extends DiscordStatus {
  readonly become: (now: DiscordStatus) => void;
}

/** The status of a bot that is not connected yet. Calls `onChange` after each change. */
export function createConnectionStatus(onChange: () => void): CurrentStatus {
  let status: DiscordStatus = { state: 'absent' };
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
