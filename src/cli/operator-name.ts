import { userInfo } from 'node:os';

/** Who sits at the command line, as the machine knows them; in a container that may be nobody. */
export function operatorName(): string {
  try {
    return `${userInfo().username} (command line)`;
  } catch {
    return 'somebody (command line)';
  }
}
