import { formatCount } from '#src/rules/messages/format.ts';
import { databaseProblem } from './database-health.ts';
import type { ReadinessReason } from './readiness-reason.ts';

/** The English message of a reason. */
export function readinessMessage(reason: ReadinessReason): string {
  switch (reason.kind) {
    case 'databaseLost':
    case 'databaseBlocked':
      return databaseProblem(reason) ?? '';
    case 'discordConnecting':
      return 'Discord is not connected yet';
    case 'discordProblem':
    case 'accountRefused':
      return reason.problem;
    case 'discordLost':
      return 'the connection to Discord was lost more than two minutes ago and is not restored: see the log';
    case 'discordRestoring':
      return 'the connection to Discord is being restored';
    case 'noRuleLoaded': {
      const files = reason.files === 1 ? 'the rule file has errors' : `all ${reason.files} rule files have errors`;
      return `no rule could be loaded, because ${files}: run npx fanfare check`;
    }
    case 'rulesNotRun':
      return `${reason.rules.length === 0 ? formatCount(reason.count, 'rule') : reason.rules.join(', ')} could not be run: see the log`;
  }
}
