import { userInfo } from 'node:os';

/** The name of the operator, from the user account of the machine. Containers may have none. */
export function operatorName(): string {
  try {
    return `${userInfo().username} (command line)`;
  } catch {
    return 'unknown user (command line)';
  }
}
